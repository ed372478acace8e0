// The centroids of inverted lists.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "kernels/query_batch.h"

namespace sightline::index {

/// Vectors of length 1 as int8, in groups of 16 as a segment has them. Immutable; thread-safe.
class Centroids {
 public:
  /// None.
  Centroids() = default;
  /// `vectors` row-major [n, dims], finite; n a multiple of 16.
  Centroids(std::span<const float> vectors, std::size_t dims);
  /// What `groups` was.
  Centroids(std::span<const std::uint8_t> groups, std::size_t dims);

  /// How many.
  std::size_t count() const { return lines_.size() / lines_a_group_ * 16; }
  /// Numbers a vector.
  std::size_t dims() const { return dims_; }
  /// The groups, one after the other.
  std::span<const std::uint8_t> groups() const;

  /// For each vector of the batch the centroid with the largest dot product, the first of equals.
  /// There must be centroids.
  struct Match {
    std::uint32_t centroid = 0;
    float similarity = 0;  ///< The dot product.
  };
  /// See `Match`.
  void Nearest(const kernels::QueryBatch& vectors, std::span<Match> matches) const;
  /// `scores[row * count() + c]` = dot product of a vector of the batch and centroid c.
  void Scores(const kernels::QueryBatch& vectors, std::span<float> scores) const;

 private:
  struct alignas(64) Line {
    std::uint8_t bytes[64];
  };

  std::size_t dims_ = 0;
  std::size_t lines_a_group_ = 1;
  std::vector<Line> lines_;
};

}  // namespace sightline::index
