#include "index/bit_scorer.h"

#include <algorithm>
#include <limits>

#include "kernels/dispatch.h"

namespace sightline::index {
namespace {

/// The kernels lay the query out anew in each call, which so few vectors do not pay for.
constexpr std::size_t kFewVectors = 64;

}  // namespace

BitScorer::BitScorer(const Codec& codec, std::span<const float> query)
    : rows_(query.size() / codec.spec().dims),
      dims_(codec.spec().dims),
      code_bytes_(codec.code_bytes()),
      query_(rows_ * code_bytes_),
      best_(rows_) {
  for (std::size_t row = 0; row < rows_; ++row) {
    codec.Encode(query.subspan(row * dims_, dims_),
                 std::span(query_).subspan(row * code_bytes_, code_bytes_));
  }
}

float BitScorer::MaxSim(const std::uint8_t* codes, kernels::VectorRange unit) {
  std::ranges::fill(best_, std::numeric_limits<std::uint32_t>::max());
  const std::size_t count = unit.end - unit.first;
  const auto find_best =
      count < kFewVectors ? kernels::HammingBestScalar : kernels::Kernels().hamming_best;
  find_best(query_.data(), rows_, codes + unit.first * code_bytes_, count, code_bytes_,
            best_.data());
  float sum = 0;
  for (const std::uint32_t distance : best_) {
    sum += static_cast<float>(dims_) - 2 * static_cast<float>(distance);
  }
  return sum;
}

}  // namespace sightline::index
