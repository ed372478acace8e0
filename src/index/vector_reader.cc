#include "index/vector_reader.h"

namespace sightline::index {

base::Status VectorReader::MoveTo(std::uint64_t vector) {
  if (block_.groups != nullptr && vector >= first_ && vector - first_ < block_.size()) {
    return base::OkStatus();
  }
  const std::size_t block = segment_.BlockOf(vector);
  segment_.ReadAhead(block);
  SIGHTLINE_ASSIGN_OR_RETURN(block_.groups, segment_.BlockGroups(block));
  block_.range = {0, segment_.block(block).vectors};
  first_ = segment_.block(block).first_vector;
  return base::OkStatus();
}

base::Status VectorReader::Read(std::uint64_t first, std::span<float> out) {
  const std::size_t dims = segment_.dims();
  for (std::size_t at = 0; at < out.size(); at += dims) {
    const std::uint64_t vector = first + at / dims;
    SIGHTLINE_RETURN_IF_ERROR(MoveTo(vector));
    const float scale = block_.Load(vector - first_, codes_);
    for (std::size_t d = 0; d < dims; ++d) out[at + d] = static_cast<float>(codes_[d]) * scale;
  }
  return base::OkStatus();
}

}  // namespace sightline::index
