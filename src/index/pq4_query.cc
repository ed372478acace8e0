#include "index/pq4_query.h"

#include <algorithm>
#include <cmath>

#include "kernels/dispatch.h"

namespace sightline::index {
namespace {

constexpr std::size_t kCodes = 16;
constexpr std::size_t kLanes = kernels::kPq4Lanes;

std::size_t Padded(std::size_t sub_vectors) { return (sub_vectors + 3) / 4 * 4; }

}  // namespace

Pq4Query::Pq4Query(const Codec& codec, std::span<const float> vectors)
    : padded_(Padded(codec.spec().sub_vectors)) {
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

Pq4Groups::Pq4Groups(std::size_t sub_vectors, std::size_t vectors)
    : sub_vectors_(sub_vectors),
      padded_(Padded(sub_vectors)),
      bytes_((vectors + kLanes - 1) / kLanes * group_bytes()) {}

void Pq4Groups::Store(std::size_t vector, std::span<const std::uint8_t> code) {
  const std::size_t lane = vector % kLanes;
  std::uint8_t* group = bytes_.data() + vector / kLanes * group_bytes();
  for (std::size_t s = 0; s < sub_vectors_; ++s) {
    const unsigned value = (static_cast<unsigned>(code[s / 2]) >> (s % 2 * 4)) & 0xFU;
    group[s * 16 + lane % 16] |= static_cast<std::uint8_t>(value << (lane / 16 * 4));
  }
}

Pq4Scorer::Pq4Scorer(const Pq4Query& query, const Pq4Groups& groups)
    : query_(query), groups_(groups), lanes_(query.size() * kLanes), best_(query.size()) {}

float Pq4Scorer::MaxSim(std::size_t first, std::size_t end) {
  std::fill(best_.begin(), best_.end(), std::uint16_t{0});
  std::size_t group = first / kLanes;
  const std::size_t last = end / kLanes;
  if (group == last) {
    TakeLanes(group, first % kLanes, end % kLanes);
  } else {
    if (first % kLanes != 0) TakeLanes(group++, first % kLanes, kLanes);
    if (group < last) {
      std::fill(lanes_.begin(), lanes_.end(), std::uint16_t{0});
      const auto tables = query_.tables();
      kernels::Kernels().pq4_max(&tables, groups_.bytes().data() + group * groups_.group_bytes(),
                                 last - group, lanes_.data());
      kernels::Kernels().pq4_best(lanes_.data(), best_.size(), best_.data());
    }
    if (end % kLanes != 0) TakeLanes(last, 0, end % kLanes);
  }
  float sum = 0;
  for (std::size_t row = 0; row < best_.size(); ++row) sum += query_.Dot(row, best_[row]);
  return sum;
}

void Pq4Scorer::TakeLanes(std::size_t group, std::size_t first_lane, std::size_t end_lane) {
  std::fill(lanes_.begin(), lanes_.end(), std::uint16_t{0});
  const auto tables = query_.tables();
  kernels::Kernels().pq4_max(&tables, groups_.bytes().data() + group * groups_.group_bytes(), 1,
                             lanes_.data());
  for (std::size_t row = 0; row < best_.size(); ++row) {
    const auto lanes = std::span(lanes_).subspan(row * kLanes + first_lane, end_lane - first_lane);
    best_[row] = std::max(best_[row], std::ranges::max(lanes));
  }
}

}  // namespace sightline::index
