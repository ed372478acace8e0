#include "index/bit_codec.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <string>

namespace sightline::index {
namespace {

constexpr std::size_t kMinVectors = 8;

}  // namespace

base::Result<std::vector<float>> TrainBitCodebook(const CodecSpec& spec,
                                                  std::span<const float> vectors) {
  const std::size_t count = vectors.size() / spec.dims;
  if (count < kMinVectors) {
    return base::FailedPrecondition("too few vectors to learn a code of bits from: " +
                                    std::to_string(count) + " of " + std::to_string(kMinVectors));
  }
  std::vector<float> codebook(spec.dims * 2);
  for (std::size_t d = 0; d < spec.dims; ++d) {
    double sum = 0;
    for (std::size_t i = 0; i < count; ++i) sum += vectors[i * spec.dims + d];
    const double mean = sum / static_cast<double>(count);
    std::array<double, 2> sums{};
    std::array<std::size_t, 2> sizes{};
    for (std::size_t i = 0; i < count; ++i) {
      const double value = vectors[i * spec.dims + d];
      const std::size_t side = value < mean ? 0 : 1;
      sums[side] += value;
      ++sizes[side];
    }
    for (const std::size_t side : {0U, 1U}) {
      const double value = sizes[side] > 0 ? sums[side] / static_cast<double>(sizes[side]) : mean;
      codebook[d * 2 + side] = static_cast<float>(value);
    }
  }
  return codebook;
}

void BitCodec::Encode(std::span<const float> vector, std::span<std::uint8_t> code) const {
  std::fill(code.begin(), code.end(), std::uint8_t{0});
  for (std::size_t d = 0; d < spec_.dims; ++d) {
    const float low = std::abs(vector[d] - codebook_[d * 2]);
    const float high = std::abs(vector[d] - codebook_[d * 2 + 1]);
    if (high < low) code[d / 8] |= static_cast<std::uint8_t>(1U << (d % 8));
  }
}

void BitCodec::Decode(std::span<const std::uint8_t> code, std::span<float> vector) const {
  for (std::size_t d = 0; d < spec_.dims; ++d) {
    const std::size_t bit = (static_cast<std::size_t>(code[d / 8]) >> (d % 8)) & 1U;
    vector[d] = codebook_[d * 2 + bit];
  }
}

}  // namespace sightline::index
