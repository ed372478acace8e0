#include "index/token_pooling.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <numeric>
#include <string>
#include <utility>

#include "format/segment.h"

namespace sightline::index {
namespace {

using base::Result;
using base::Status;

constexpr int kMaxFactor = 4;

/// Sums are kept in so many parts, added in one order everywhere: fast with any vector registers,
/// and the same to the bit without them.
constexpr std::size_t kLanes = 16;

float SquaredDistance(std::span<const float> a, std::span<const float> b) {
  std::array<float, kLanes> sums{};
  std::size_t i = 0;
  for (; i + kLanes <= a.size(); i += kLanes) {
    for (std::size_t lane = 0; lane < kLanes; ++lane) {
      const float difference = a[i + lane] - b[i + lane];
      sums[lane] += difference * difference;
    }
  }
  for (std::size_t lane = 0; i < a.size(); ++i, ++lane) {
    sums[lane] += (a[i] - b[i]) * (a[i] - b[i]);
  }
  return std::accumulate(sums.begin(), sums.end(), 0.0F);
}

double Length(std::span<const double> vector) {
  double sum = 0;
  for (const double value : vector) sum += value * value;
  return std::sqrt(sum);
}

double Length(std::span<const float> vector) {
  double sum = 0;
  for (const float value : vector) sum += static_cast<double>(value) * static_cast<double>(value);
  return std::sqrt(sum);
}

/// Row `i` of a matrix.
template <typename T>
std::span<T> Row(std::span<T> matrix, std::size_t dims, std::size_t i) {
  return matrix.subspan(i * dims, dims);
}

/// Two clusters become one. A cluster is named after its first vector.
struct Merge {
  /// Ward's distance, never below that of the merges that made the two; then the first vector.
  std::pair<float, std::size_t> key;
  std::size_t first = 0;
  std::size_t second = 0;
};

/// The whole tree of Ward's linkage by nearest-neighbour chains (Murtagh 1983; Müllner 2011,
/// arXiv 1109.2378): a chain of nearest neighbours ends in two that are each other's, and Ward's
/// linkage may merge those at once. Centroids and sizes take the place of a matrix of distances.
class WardTree {
 public:
  WardTree(std::span<const float> vectors, std::size_t dims)
      : dims_(dims),
        centroids_(vectors.begin(), vectors.end()),
        sizes_(vectors.size() / dims, 1),
        keys_(sizes_.size()),
        active_(sizes_.size()) {
    std::iota(active_.begin(), active_.end(), std::size_t{0});
    for (std::size_t i = 0; i < sizes_.size(); ++i) {
      const auto row = Row(std::span(centroids_), dims_, i);
      const double length = Length(std::span<const float>(row));
      if (length == 0) continue;
      for (float& value : row) value = static_cast<float>(static_cast<double>(value) / length);
    }
  }

  /// All merges, the nearest first; each after those that it needs.
  Result<std::vector<Merge>> Build(const base::CancelToken& cancel) {
    std::vector<Merge> merges;
    std::vector<std::size_t> chain;
    while (active_.size() > 1) {
      SIGHTLINE_RETURN_IF_ERROR(cancel.Check());
      if (chain.empty()) chain.push_back(active_.front());
      const std::size_t tip = chain.back();
      const std::size_t before = chain.size() > 1 ? chain[chain.size() - 2] : tip;
      const Neighbour nearest = Nearest(tip, before);
      if (nearest.cluster == before) {
        chain.resize(chain.size() - 2);
        merges.push_back(Join(std::min(tip, before), std::max(tip, before), nearest.distance));
        continue;
      }
      // Rounding can bring a merged cluster nearer to one that stands earlier in the chain.
      chain.erase(std::find(chain.begin(), chain.end(), nearest.cluster), chain.end());
      chain.push_back(nearest.cluster);
    }
    std::ranges::stable_sort(merges, {}, &Merge::key);
    return merges;
  }

 private:
  struct Neighbour {
    std::size_t cluster = 0;
    float distance = std::numeric_limits<float>::infinity();
  };

  /// How much the squared error grows when the two become one.
  float Distance(std::size_t a, std::size_t b) const {
    const auto size_a = static_cast<float>(sizes_[a]);
    const auto size_b = static_cast<float>(sizes_[b]);
    const auto rows = std::span(centroids_);
    return size_a * size_b / (size_a + size_b) *
           SquaredDistance(Row(rows, dims_, a), Row(rows, dims_, b));
  }

  /// `preferred`, unless it is `cluster` itself, wins over others that are as near: without that
  /// a chain of equal distances has no end.
  Neighbour Nearest(std::size_t cluster, std::size_t preferred) const {
    Neighbour best;
    if (preferred != cluster) best = {preferred, Distance(cluster, preferred)};
    for (const std::size_t other : active_) {
      if (other == cluster) continue;
      const float distance = Distance(cluster, other);
      if (distance < best.distance) best = {other, distance};
    }
    return best;
  }

  Merge Join(std::size_t first, std::size_t second, float distance) {
    const auto size_a = static_cast<float>(sizes_[first]);
    const auto size_b = static_cast<float>(sizes_[second]);
    const auto rows = std::span(centroids_);
    const auto a = Row(rows, dims_, first);
    const auto b = Row(rows, dims_, second);
    for (std::size_t d = 0; d < dims_; ++d) {
      a[d] = (a[d] * size_a + b[d] * size_b) / (size_a + size_b);
    }
    sizes_[first] += sizes_[second];
    active_.erase(std::lower_bound(active_.begin(), active_.end(), second));
    // Rounding must not put a merge before one that it needs.
    keys_[first] = std::max({std::pair(distance, first), keys_[first], keys_[second]});
    return {keys_[first], first, second};
  }

  const std::size_t dims_;
  std::vector<float> centroids_;                     // By cluster, [dims] each.
  std::vector<std::size_t> sizes_;                   // By cluster.
  std::vector<std::pair<float, std::size_t>> keys_;  // By cluster: of the merge that made it.
  std::vector<std::size_t> active_;                  // Increasing.
};

/// By vector: the first vector of its cluster, after the first `count` merges.
std::vector<std::size_t> Cut(std::span<const Merge> merges, std::size_t count) {
  std::vector<std::size_t> parent(merges.size() + 1);
  std::iota(parent.begin(), parent.end(), std::size_t{0});
  for (const Merge& merge : merges.first(count)) parent[merge.second] = merge.first;
  // A parent stands before its children, so it is final when they are looked at.
  for (std::size_t& up : parent) up = parent[up];
  return parent;
}

/// The mean of the vectors whose cluster is `first`, with their mean length.
std::vector<float> Mean(std::span<const float> vectors, std::size_t dims,
                        std::span<const std::size_t> owner, std::size_t first) {
  std::vector<double> sum(dims, 0);
  double lengths = 0;
  std::size_t members = 0;
  for (std::size_t i = first; i < owner.size(); ++i) {
    if (owner[i] != first) continue;
    const auto row = Row(vectors, dims, i);
    for (std::size_t d = 0; d < dims; ++d) sum[d] += static_cast<double>(row[d]);
    lengths += Length(row);
    ++members;
  }
  const double length = Length(std::span<const double>(sum));
  const auto front = Row(vectors, dims, first);
  std::vector<float> mean(front.begin(), front.end());
  if (length <= lengths * std::numeric_limits<float>::epsilon()) return mean;
  // Exactly 1 where there is one vector: it stays as it is.
  const double scale = lengths / static_cast<double>(members) / length;
  std::ranges::transform(sum, mean.begin(),
                         [scale](double value) { return static_cast<float>(value * scale); });
  return mean;
}

Status CheckInput(std::span<const float> vectors, std::size_t dims, int factor) {
  if (factor < 1 || factor > kMaxFactor) {
    return base::InvalidArgument("the pooling factor must be from 1 to " +
                                 std::to_string(kMaxFactor) + ": " + std::to_string(factor));
  }
  if (dims < 1 || vectors.empty() || vectors.size() % dims != 0 ||
      vectors.size() / dims > format::kMaxVectorsPerUnit) {
    return base::InvalidArgument("pooling takes 1 to " +
                                 std::to_string(format::kMaxVectorsPerUnit) +
                                 " vectors: " + std::to_string(vectors.size()) + " numbers, " +
                                 std::to_string(dims) + " dims");
  }
  if (!std::ranges::all_of(vectors, [](float value) { return std::isfinite(value); })) {
    return base::InvalidArgument("pooling takes finite numbers only");
  }
  return base::OkStatus();
}

}  // namespace

Result<std::vector<float>> PoolTokens(std::span<const float> vectors, std::size_t dims,
                                      const PoolingOptions& options,
                                      const base::CancelToken& cancel) {
  SIGHTLINE_RETURN_IF_ERROR(CheckInput(vectors, dims, options.factor));
  const std::size_t count = vectors.size() / dims;
  const std::size_t leading = std::min(count, options.protected_leading);
  const std::size_t trailing = std::min(count - leading, options.protected_trailing);
  const std::size_t candidates = count - leading - trailing;
  const auto factor = static_cast<std::size_t>(options.factor);
  if (factor == 1 || candidates < 2) return std::vector<float>(vectors.begin(), vectors.end());

  const auto open = vectors.subspan(leading * dims, candidates * dims);
  SIGHTLINE_ASSIGN_OR_RETURN(const std::vector<Merge> merges, WardTree(open, dims).Build(cancel));
  const std::size_t clusters = (candidates + factor - 1) / factor;
  const std::vector<std::size_t> owner = Cut(merges, candidates - clusters);
  std::vector<float> pooled;
  pooled.reserve((leading + clusters + trailing) * dims);
  const auto append = [&pooled](std::span<const float> rows) {
    pooled.insert(pooled.end(), rows.begin(), rows.end());
  };
  append(vectors.first(leading * dims));
  for (std::size_t i = 0; i < candidates; ++i) {
    if (owner[i] == i) append(Mean(open, dims, owner, i));
  }
  append(vectors.last(trailing * dims));
  return pooled;
}

}  // namespace sightline::index
