// Clustering for inverted lists: many centroids, long vectors.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "base/deadline.h"
#include "base/result.h"
#include "index/centroids.h"

namespace sightline::index {

/// How centroids are trained.
struct CentroidTraining {
  /// A multiple of 16.
  std::size_t centroids = 16;
  /// Lloyd's rounds.
  int rounds = 8;
  /// The same seed gives the same centroids with any number of threads.
  std::uint64_t seed = 1;
  int threads = 1;
};

/// Spherical k-means (Dhillon & Modha 2001) over a sample: centroids are directions, and a vector
/// belongs to the one with the largest dot product. Vectors and centroids are compared as int8,
/// which is what makes thousands of centroids affordable; means are taken of what the codes stand
/// for.
class CentroidTrainer {
 public:
  explicit CentroidTrainer(std::size_t dims) : dims_(dims) {}

  /// Takes some vectors of the sample in, row-major [n, dims], finite, of any length; zero vectors
  /// are left out.
  void Add(std::span<const float> vectors);
  /// Vectors of the sample.
  std::size_t size() const { return count_; }
  /// Trains; the sample must have as many vectors as there are centroids, otherwise
  /// kFailedPrecondition.
  base::Result<Centroids> Train(const CentroidTraining& training, const base::CancelToken& cancel);

 private:
  void Seed(const CentroidTraining& training);
  base::Status Assign(const CentroidTraining& training, const base::CancelToken& cancel);
  base::Status Move(const CentroidTraining& training);
  void AddUp(std::size_t vector, std::span<double> sum) const;
  std::size_t TakeWorst();

  const std::size_t dims_;
  std::vector<kernels::QueryBatch> chunks_;  // kChunk vectors each, but the last.
  std::vector<float> waiting_;               // Vectors of the chunk to come.
  std::size_t count_ = 0;
  std::vector<float> centroids_;           // [centroids, dims]
  std::vector<Centroids::Match> matches_;  // By vector of the sample.
};

}  // namespace sightline::index
