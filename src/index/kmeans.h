// k-means, for codebooks of codecs and for the centroids of inverted lists.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "base/deadline.h"
#include "base/result.h"

namespace sightline::index {

/// How a clustering is trained.
struct KMeansOptions {
  std::size_t clusters = 16;
  /// Lloyd's rounds; fewer when no vector changes its cluster any more.
  int rounds = 16;
  /// The same seed gives the same centroids on every machine.
  std::uint64_t seed = 1;
};

/// Centroids, row-major [clusters, dims], of `vectors`, row-major [n, dims], finite, n ≥ clusters:
/// Lloyd's algorithm (1982) from k-means++ (Arthur & Vassilvitskii 2007). A cluster that loses all
/// its vectors takes the vector that is worst represented. kInvalidArgument when there are fewer
/// vectors than clusters; kCancelled and kDeadlineExceeded as `cancel` says.
base::Result<std::vector<float>> TrainKMeans(std::span<const float> vectors, std::size_t dims,
                                             const KMeansOptions& options,
                                             const base::CancelToken& cancel);

/// Vectors to compare with, laid out so that the nearest one is found fast. Immutable.
class NearestCentroid {
 public:
  /// `centroids` is row-major [clusters, dims], clusters ≥ 1.
  NearestCentroid(std::span<const float> centroids, std::size_t dims);

  /// A centroid and how far it is.
  struct Match {
    std::size_t centroid = 0;
    float squared_distance = 0;
  };

  /// The nearest by Euclidean distance; of equally near ones the first. Thread-safe.
  Match Find(std::span<const float> vector) const;

 private:
  std::size_t clusters_;
  std::vector<float> by_dim_;  // [dims, clusters]
};

}  // namespace sightline::index
