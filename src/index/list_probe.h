// Which inverted lists a query looks into, and what a unit gains by being in one.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "index/centroids.h"
#include "kernels/query_batch.h"

namespace sightline::index {

/// Of one query. Immutable.
///
/// A unit without a vector in any list that a query vector probes is taken to score, for that
/// vector, what the best list not probed would give ("missing similarity imputation", WARP, arXiv
/// 2501.17788, with the centroid's score alone). Scores are kept as what exceeds that: a unit in
/// no probed list has 0.
class ListProbe {
 public:
  /// A list and what a unit in it gains.
  struct Entry {
    std::uint32_t list = 0;
    float gain = 0;
  };

  /// For each vector of the query the `probes` ≥ 1 nearest of at least one centroid.
  ListProbe(const Centroids& centroids, const kernels::QueryBatch& query, std::size_t probes);

  /// Query vectors.
  std::size_t rows() const { return ends_.size(); }
  /// Lists of a query vector, gains falling.
  std::span<const Entry> row(std::size_t row) const {
    const std::size_t first = row == 0 ? 0 : ends_[row - 1];
    return std::span(entries_).subspan(first, ends_[row] - first);
  }
  /// Those of all query vectors.
  std::span<const Entry> entries() const { return entries_; }

 private:
  void AddRow(std::span<const float> scores, std::size_t probes);

  std::vector<Entry> entries_;
  std::vector<std::size_t> ends_;  // By query vector.
  // While it is made: the best score of each 16 centroids, and those worth sorting.
  std::vector<float> best_of_16_;
  std::vector<Entry> chosen_;
};

}  // namespace sightline::index
