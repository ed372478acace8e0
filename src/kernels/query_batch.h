// Queries prepared for the kernels: one pass over the documents serves them all.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "kernels/kernel_table.h"

namespace sightline::kernels {

/// One or more queries of one or more vectors as int8 with a scale a vector. Immutable after
/// construction, so that threads may share it.
class QueryBatch {
 public:
  /// Each of `queries` is row-major [m, dims], m ≥ 1, finite; 1 ≤ dims ≤ 4,096; `queries` is not
  /// empty. `table` must live longer.
  QueryBatch(std::span<const std::span<const float>> queries, std::size_t dims,
             const KernelTable& table);

  /// Queries.
  std::size_t size() const { return ends_.size(); }
  /// Numbers a vector.
  std::size_t dims() const { return dims_; }
  /// The kernels that score it.
  const KernelTable& table() const { return *table_; }
  /// All vectors, those of a query next to each other. Valid as long as the batch.
  QueryRows rows() const;
  /// First vector of a query; `query` may be `size()`.
  std::size_t first_row(std::size_t query) const { return query == 0 ? 0 : ends_[query - 1]; }
  /// Scale of a vector.
  float scale(std::size_t row) const { return scales_[row]; }

 private:
  /// So that a vector of them starts at a multiple of 64.
  struct alignas(64) Line {
    std::array<std::int8_t, 64> codes{};
  };

  const KernelTable* table_;
  std::size_t dims_;
  std::size_t lines_a_row_;
  std::vector<std::size_t> ends_;  // By query: rows up to and including it.
  std::vector<float> scales_;
  std::vector<Line> lines_;
  std::vector<std::int32_t> starts_;
};

}  // namespace sightline::kernels
