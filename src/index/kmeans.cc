#include "index/kmeans.h"

#include <algorithm>
#include <array>
#include <limits>
#include <string>

#include "base/random.h"

namespace sightline::index {
namespace {

using base::Result;

/// Centroids compared at a time: their distances stay in registers or the nearest cache.
constexpr std::size_t kTile = 64;

float SquaredDistance(std::span<const float> a, std::span<const float> b) {
  float sum = 0;
  for (std::size_t i = 0; i < a.size(); ++i) sum += (a[i] - b[i]) * (a[i] - b[i]);
  return sum;
}

/// In [0, 1), from 53 random bits.
double UnitReal(base::SeededRandom& random) {
  return static_cast<double>(random.NextUint64() >> 11U) * 0x1p-53;
}

/// One clustering while it is trained.
class Trainer {
 public:
  Trainer(std::span<const float> vectors, std::size_t dims, const KMeansOptions& options)
      : vectors_(vectors),
        dims_(dims),
        options_(options),
        count_(vectors.size() / dims),
        random_(options.seed),
        owner_(count_, 0),
        distance_(count_, std::numeric_limits<float>::max()) {}

  /// k-means++: each next centroid is a vector, drawn with probability ∝ its squared distance.
  base::Status Seed(const base::CancelToken& cancel) {
    centroids_.reserve(options_.clusters * dims_);
    std::size_t chosen = static_cast<std::size_t>(UnitReal(random_) * static_cast<double>(count_));
    while (true) {
      const auto centroid = Vector(chosen);
      centroids_.insert(centroids_.end(), centroid.begin(), centroid.end());
      if (centroids_.size() == options_.clusters * dims_) return base::OkStatus();
      SIGHTLINE_RETURN_IF_ERROR(cancel.Check());
      chosen = DrawFarOne(centroid);
    }
  }

  /// Gives every vector to its nearest centroid; whether any changed hands.
  bool Assign() {
    const NearestCentroid nearest(centroids_, dims_);
    bool changed = false;
    for (std::size_t i = 0; i < count_; ++i) {
      const auto match = nearest.Find(Vector(i));
      changed = changed || owner_[i] != match.centroid;
      owner_[i] = match.centroid;
      distance_[i] = match.squared_distance;
    }
    return changed;
  }

  /// Moves every centroid to the mean of its vectors.
  void Move() {
    std::vector<double> sums(centroids_.size(), 0);
    std::vector<std::size_t> sizes(options_.clusters, 0);
    for (std::size_t i = 0; i < count_; ++i) {
      ++sizes[owner_[i]];
      for (std::size_t d = 0; d < dims_; ++d) sums[owner_[i] * dims_ + d] += Vector(i)[d];
    }
    for (std::size_t c = 0; c < options_.clusters; ++c) {
      if (sizes[c] == 0) {
        Refill(c);
        continue;
      }
      for (std::size_t d = 0; d < dims_; ++d) {
        centroids_[c * dims_ + d] =
            static_cast<float>(sums[c * dims_ + d] / static_cast<double>(sizes[c]));
      }
    }
  }

  std::vector<float> TakeCentroids() { return std::move(centroids_); }

 private:
  std::span<const float> Vector(std::size_t i) const { return vectors_.subspan(i * dims_, dims_); }

  std::size_t DrawFarOne(std::span<const float> newest) {
    double total = 0;
    for (std::size_t i = 0; i < count_; ++i) {
      distance_[i] = std::min(distance_[i], SquaredDistance(Vector(i), newest));
      total += distance_[i];
    }
    double left = UnitReal(random_) * total;
    for (std::size_t i = 0; i < count_; ++i) {
      left -= distance_[i];
      if (left < 0) return i;
    }
    // All vectors are centroids already, or rounding has eaten the rest.
    return static_cast<std::size_t>(UnitReal(random_) * static_cast<double>(count_));
  }

  /// An empty cluster takes the vector that is farthest from its centroid.
  void Refill(std::size_t cluster) {
    const auto worst = std::max_element(distance_.begin(), distance_.end());
    const auto vector = Vector(static_cast<std::size_t>(worst - distance_.begin()));
    std::copy(vector.begin(), vector.end(),
              centroids_.begin() + static_cast<std::ptrdiff_t>(cluster * dims_));
    *worst = 0;
  }

  const std::span<const float> vectors_;
  const std::size_t dims_;
  const KMeansOptions& options_;
  const std::size_t count_;
  base::SeededRandom random_;
  std::vector<std::size_t> owner_;  // By vector: its cluster.
  std::vector<float> distance_;     // By vector: squared, to its centroid.
  std::vector<float> centroids_;
};

}  // namespace

NearestCentroid::NearestCentroid(std::span<const float> centroids, std::size_t dims)
    : clusters_(centroids.size() / dims), by_dim_(centroids.size()) {
  for (std::size_t c = 0; c < clusters_; ++c) {
    for (std::size_t d = 0; d < dims; ++d) by_dim_[d * clusters_ + c] = centroids[c * dims + d];
  }
}

NearestCentroid::Match NearestCentroid::Find(std::span<const float> vector) const {
  Match best{0, std::numeric_limits<float>::max()};
  std::array<float, kTile> distances;
  for (std::size_t first = 0; first < clusters_; first += kTile) {
    const std::size_t count = std::min(kTile, clusters_ - first);
    std::fill_n(distances.begin(), count, 0.0F);
    for (std::size_t d = 0; d < vector.size(); ++d) {
      const float* row = by_dim_.data() + d * clusters_ + first;
      for (std::size_t c = 0; c < count; ++c) {
        const float difference = vector[d] - row[c];
        distances[c] += difference * difference;
      }
    }
    for (std::size_t c = 0; c < count; ++c) {
      if (distances[c] < best.squared_distance) best = {first + c, distances[c]};
    }
  }
  return best;
}

Result<std::vector<float>> TrainKMeans(std::span<const float> vectors, std::size_t dims,
                                       const KMeansOptions& options,
                                       const base::CancelToken& cancel) {
  if (dims < 1 || options.clusters < 1 || vectors.size() % dims != 0 ||
      vectors.size() / dims < options.clusters) {
    return base::InvalidArgument(
        "a clustering needs a vector for each cluster: " + std::to_string(vectors.size()) +
        " numbers, " + std::to_string(dims) + " dims, " + std::to_string(options.clusters) +
        " clusters");
  }
  Trainer trainer(vectors, dims, options);
  SIGHTLINE_RETURN_IF_ERROR(trainer.Seed(cancel));
  for (int round = 0; round < options.rounds; ++round) {
    SIGHTLINE_RETURN_IF_ERROR(cancel.Check());
    const bool changed = trainer.Assign();
    if (!changed && round > 0) break;
    trainer.Move();
  }
  return trainer.TakeCentroids();
}

}  // namespace sightline::index
