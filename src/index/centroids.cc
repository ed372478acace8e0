#include "index/centroids.h"

#include <algorithm>
#include <cstring>
#include <limits>

#include "kernels/quantize_int8.h"
#include "kernels/vector_group.h"

namespace sightline::index {
namespace {

constexpr std::size_t kLanes = kernels::kGroupLanes;

}  // namespace

Centroids::Centroids(std::span<const float> vectors, std::size_t dims)
    : dims_(dims),
      lines_a_group_(kernels::GroupBytes(dims) / sizeof(Line)),
      lines_(vectors.size() / dims / kLanes * lines_a_group_) {
  std::vector<std::int8_t> codes(dims);
  for (std::size_t c = 0; c < vectors.size() / dims; ++c) {
    std::uint8_t* group = lines_[c / kLanes * lines_a_group_].bytes;
    if (c % kLanes == 0) kernels::ClearGroup(dims, group);
    const float scale = kernels::QuantizeDocument(vectors.subspan(c * dims, dims), codes.data());
    kernels::StoreVector(codes, scale, c % kLanes, group);
  }
}

Centroids::Centroids(std::span<const std::uint8_t> groups, std::size_t dims)
    : dims_(dims),
      lines_a_group_(kernels::GroupBytes(dims) / sizeof(Line)),
      lines_(groups.size() / sizeof(Line)) {
  std::memcpy(lines_.data(), groups.data(), groups.size());
}

std::span<const std::uint8_t> Centroids::groups() const {
  if (lines_.empty()) return {};
  return {lines_.front().bytes, lines_.size() * sizeof(Line)};
}

void Centroids::Nearest(const kernels::QueryBatch& vectors, std::span<Match> matches) const {
  const kernels::QueryRows rows = vectors.rows();
  std::vector<float> best(rows.count * kLanes, -std::numeric_limits<float>::infinity());
  std::vector<std::uint32_t> which(rows.count * kLanes);
  vectors.table().best_dots(&rows, groups().data(), count() / kLanes, dims_, best.data(),
                            which.data());
  for (std::size_t row = 0; row < rows.count; ++row) {
    std::size_t top = row * kLanes;
    for (std::size_t i = top + 1; i < (row + 1) * kLanes; ++i) {
      if (best[i] > best[top] || (best[i] == best[top] && which[i] < which[top])) top = i;
    }
    matches[row] = {which[top], best[top] * vectors.scale(row)};
  }
}

void Centroids::Scores(const kernels::QueryBatch& vectors, std::span<float> scores) const {
  const kernels::QueryRows rows = vectors.rows();
  std::vector<float> values(rows.count * kLanes);
  for (std::size_t group = 0; group < count() / kLanes; ++group) {
    vectors.table().dots(&rows, lines_[group * lines_a_group_].bytes, dims_, values.data());
    for (std::size_t row = 0; row < rows.count; ++row) {
      float* out = scores.data() + row * count() + group * kLanes;
      for (std::size_t lane = 0; lane < kLanes; ++lane) {
        out[lane] = values[row * kLanes + lane] * vectors.scale(row);
      }
    }
  }
}

}  // namespace sightline::index
