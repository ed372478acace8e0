#include "index/pq8_scorer.h"

#include <algorithm>
#include <limits>

namespace sightline::index {
namespace {

constexpr std::size_t kCentroids = 256;

}  // namespace

Pq8Scorer::Pq8Scorer(const Codec& codec, std::span<const float> query)
    : rows_(query.size() / codec.spec().dims),
      sub_vectors_(codec.spec().sub_vectors),
      tables_(sub_vectors_ * kCentroids * rows_),
      sums_(rows_),
      best_(rows_) {
  const std::size_t dims = codec.spec().dims;
  const std::size_t sub_dims = dims / sub_vectors_;
  const auto codebook = codec.codebook();
  for (std::size_t entry = 0; entry < sub_vectors_ * kCentroids; ++entry) {
    const auto centroid = codebook.subspan(entry * sub_dims, sub_dims);
    for (std::size_t row = 0; row < rows_; ++row) {
      const float* part = query.data() + row * dims + entry / kCentroids * sub_dims;
      float dot = 0;
      for (std::size_t d = 0; d < sub_dims; ++d) dot += part[d] * centroid[d];
      tables_[entry * rows_ + row] = dot;
    }
  }
}

float Pq8Scorer::MaxSim(const std::uint8_t* codes, kernels::VectorRange unit) {
  std::ranges::fill(best_, -std::numeric_limits<float>::infinity());
  for (std::size_t vector = unit.first; vector < unit.end; ++vector) {
    const std::uint8_t* code = codes + vector * sub_vectors_;
    std::ranges::fill(sums_, 0.0F);
    for (std::size_t s = 0; s < sub_vectors_; ++s) {
      const float* entries = tables_.data() + (s * kCentroids + code[s]) * rows_;
      for (std::size_t row = 0; row < rows_; ++row) sums_[row] += entries[row];
    }
    for (std::size_t row = 0; row < rows_; ++row) best_[row] = std::max(best_[row], sums_[row]);
  }
  float sum = 0;
  for (const float value : best_) sum += value;
  return sum;
}

}  // namespace sightline::index
