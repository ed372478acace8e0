#include "index/int8_codec.h"

#include <cstring>

#include "kernels/quantize_int8.h"

namespace sightline::index {

void Int8Codec::Encode(std::span<const float> vector, std::span<std::uint8_t> code) const {
  std::vector<std::int8_t> codes(spec_.dims);
  const float scale = kernels::QuantizeDocument(vector, codes.data());
  std::memcpy(code.data(), codes.data(), codes.size());
  std::memcpy(code.data() + codes.size(), &scale, sizeof(scale));
}

void Int8Codec::Decode(std::span<const std::uint8_t> code, std::span<float> vector) const {
  float scale = 0;
  std::memcpy(&scale, code.data() + spec_.dims, sizeof(scale));
  for (std::size_t d = 0; d < spec_.dims; ++d) {
    vector[d] = static_cast<float>(static_cast<std::int8_t>(code[d])) * scale;
  }
}

}  // namespace sightline::index
