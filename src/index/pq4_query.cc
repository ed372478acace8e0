#include "index/pq4_query.h"

#include <algorithm>
#include <cmath>

#include "kernels/dispatch.h"
#include "kernels/pq4_layout.h"

namespace sightline::index {
namespace {

constexpr std::size_t kCodes = 16;
constexpr std::size_t kLanes = kernels::kPq4Lanes;

}  // namespace

Pq4Query::Pq4Query(const Codec& codec, std::span<const float> vectors)
    : padded_(kernels::Pq4Padded(codec.spec().sub_vectors)) {
  const CodecSpec& spec = codec.spec();
  const std::size_t rows = vectors.size() / spec.dims;
  const std::size_t sub_dims = spec.dims / spec.sub_vectors;
  const auto codebook = codec.codebook();
  entries_.resize(rows * padded_ * kCodes);
  steps_.resize(rows);
  least_.resize(rows);
  std::vector<float> dots(spec.sub_vectors * kCodes);
  for (std::size_t row = 0; row < rows; ++row) {
    for (std::size_t i = 0; i < dots.size(); ++i) {
      const float* part = vectors.data() + row * spec.dims + i / kCodes * sub_dims;
      const float* centroid = codebook.data() + i * sub_dims;
      float dot = 0;
      for (std::size_t d = 0; d < sub_dims; ++d) dot += part[d] * centroid[d];
      dots[i] = dot;
    }
    FillRow(row, dots, spec.sub_vectors);
  }
}

void Pq4Query::FillRow(std::size_t row, std::span<const float> dots, std::size_t sub_vectors) {
  float range = 0;
  float least = 0;
  std::vector<float> leasts(sub_vectors);
  for (std::size_t s = 0; s < sub_vectors; ++s) {
    const auto [low, high] = std::ranges::minmax(dots.subspan(s * kCodes, kCodes));
    leasts[s] = low;
    least += low;
    range = std::max(range, high - low);
  }
  least_[row] = least;
  steps_[row] = range / kernels::kPq4MaxEntry;
  if (steps_[row] <= 0) return;  // All centroids are equally near: all entries are 0.
  for (std::size_t i = 0; i < dots.size(); ++i) {
    const float entry = std::nearbyint((dots[i] - leasts[i / kCodes]) / steps_[row]);
    entries_[row * padded_ * kCodes + i] =
        static_cast<std::uint8_t>(std::min(entry, float{kernels::kPq4MaxEntry}));
  }
}

kernels::Pq4Tables Pq4Query::tables() const { return {entries_.data(), steps_.size(), padded_}; }

Pq4Scorer::Pq4Scorer(const Codec& codec, std::span<const float> vectors)
    : query_(codec, vectors),
      group_bytes_(kernels::Pq4GroupBytes(codec.spec().sub_vectors)),
      lanes_(query_.size() * kLanes),
      best_(query_.size()) {}

float Pq4Scorer::MaxSim(const std::uint8_t* codes, kernels::VectorRange unit) {
  std::fill(best_.begin(), best_.end(), std::uint16_t{0});
  const std::uint8_t* group = codes + unit.first / kLanes * group_bytes_;
  const std::uint8_t* last = codes + unit.end / kLanes * group_bytes_;
  if (group == last) {
    TakeLanes(group, unit.first % kLanes, unit.end % kLanes);
  } else {
    if (unit.first % kLanes != 0) {
      TakeLanes(group, unit.first % kLanes, kLanes);
      group += group_bytes_;
    }
    if (group < last) {
      std::fill(lanes_.begin(), lanes_.end(), std::uint16_t{0});
      const auto tables = query_.tables();
      const auto groups = static_cast<std::size_t>(last - group) / group_bytes_;
      kernels::Kernels().pq4_max(&tables, group, groups, lanes_.data());
      kernels::Kernels().pq4_best(lanes_.data(), best_.size(), best_.data());
    }
    if (unit.end % kLanes != 0) TakeLanes(last, 0, unit.end % kLanes);
  }
  float sum = 0;
  for (std::size_t row = 0; row < best_.size(); ++row) sum += query_.Dot(row, best_[row]);
  return sum;
}

void Pq4Scorer::TakeLanes(const std::uint8_t* group, std::size_t first_lane, std::size_t end_lane) {
  std::fill(lanes_.begin(), lanes_.end(), std::uint16_t{0});
  const auto tables = query_.tables();
  kernels::Kernels().pq4_max(&tables, group, 1, lanes_.data());
  for (std::size_t row = 0; row < best_.size(); ++row) {
    const auto lanes = std::span(lanes_).subspan(row * kLanes + first_lane, end_lane - first_lane);
    best_[row] = std::max(best_[row], std::ranges::max(lanes));
  }
}

}  // namespace sightline::index
