#include "kernels/max_sim.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <limits>
#include <memory>

namespace sightline::kernels {
namespace {

constexpr std::size_t kAlignment = 64;
constexpr std::size_t kBestPadding = 16;
/// Below this many query vectors most lanes of the packed kernel would be idle.
constexpr std::size_t kMinPacked = 3;
constexpr std::size_t kDotBatch = 256;

}  // namespace

float QuantizeInt8(std::span<const float> vector, int8_t* codes) {
  float largest = 0;
  for (const float value : vector) largest = std::max(largest, std::abs(value));
  // A scale that is no normal number would make the division below overflow.
  const float scale = largest / 127.0F;
  if (!(scale >= std::numeric_limits<float>::min())) {
    std::fill_n(codes, vector.size(), int8_t{0});
    return 0;
  }
  for (std::size_t i = 0; i < vector.size(); ++i) {
    const float code = std::clamp(std::nearbyint(vector[i] / scale), -127.0F, 127.0F);
    codes[i] = static_cast<int8_t>(code);
  }
  return scale;
}

Int8Query::Int8Query(std::span<const float> vectors, std::size_t dims, const KernelTable& table)
    : table_(table), dims_(dims), scales_(vectors.size() / dims), codes_(vectors.size()) {
  for (std::size_t q = 0; q < scales_.size(); ++q) {
    scales_[q] = QuantizeInt8(vectors.subspan(q * dims, dims), codes_.data() + q * dims);
  }
  if (scales_.size() < kMinPacked) return;
  std::size_t space = table.packed_bytes_i8(scales_.size(), dims) + kAlignment;
  packed_storage_.resize(space);
  void* aligned = packed_storage_.data();
  std::align(kAlignment, space - kAlignment, aligned, space);
  table.pack_i8(codes_.data(), scales_.size(), dims, aligned);
  packed_ = aligned;
}

void Int8Query::Dots(const std::int8_t* codes, std::span<const float> scales,
                     std::span<float> out) const {
  std::array<std::int32_t, kDotBatch> dots{};
  for (std::size_t first = 0; first < scales.size(); first += kDotBatch) {
    const std::size_t count = std::min(kDotBatch, scales.size() - first);
    table_.dots_i8(codes_.data(), codes + first * dims_, count, dims_, dots.data());
    for (std::size_t i = 0; i < count; ++i) {
      out[first + i] = static_cast<float>(dots[i]) * scales[first + i] * scales_[0];
    }
  }
}

float Int8Query::MaxSim(const std::int8_t* codes, std::span<const float> scales) const {
  constexpr float kLowest = -std::numeric_limits<float>::infinity();
  const std::size_t padded = (scales_.size() + kBestPadding - 1) / kBestPadding * kBestPadding;
  std::array<float, 64> few{};
  std::vector<float> many;
  std::span<float> best = few;
  if (padded > few.size()) {
    many.resize(padded);
    best = many;
  }
  std::fill(best.begin(), best.end(), kLowest);
  if (packed_ != nullptr) {
    table_.max_dots_i8(packed_, scales_.size(), codes, scales.data(), scales.size(), dims_,
                       best.data());
  } else {
    std::array<std::int32_t, kDotBatch> dots{};
    for (std::size_t q = 0; q < scales_.size(); ++q) {
      for (std::size_t first = 0; first < scales.size(); first += kDotBatch) {
        const std::size_t count = std::min(kDotBatch, scales.size() - first);
        table_.dots_i8(codes_.data() + q * dims_, codes + first * dims_, count, dims_, dots.data());
        for (std::size_t i = 0; i < count; ++i) {
          best[q] = std::max(best[q], static_cast<float>(dots[i]) * scales[first + i]);
        }
      }
    }
  }
  float sum = 0;
  for (std::size_t q = 0; q < scales_.size(); ++q) sum += best[q] * scales_[q];
  return sum;
}

}  // namespace sightline::kernels
