// Exact MaxSim over segments: the truth that other search methods are measured against.
#pragma once

#include <cstddef>
#include <memory>
#include <span>
#include <vector>

#include "base/deadline.h"
#include "base/result.h"
#include "index/scored_unit.h"
#include "index/segment_reader.h"
#include "index/unit_set.h"
#include "kernels/max_sim.h"
#include "kernels/query_batch.h"

namespace sightline::index {

/// The segments of one space that a query looks at; a unit is in at most one of them.
using Segments = std::span<const std::shared_ptr<const SegmentReader>>;

/// Which units take part. Both are applied before anything is scored.
struct Selection {
  const UnitSet* filter = nullptr;   ///< Only these; null: all.
  const UnitSet* deleted = nullptr;  ///< Never these; null: none.

  /// Whether every unit takes part.
  bool AllowsAll() const { return filter == nullptr && (deleted == nullptr || deleted->empty()); }
  /// Whether the unit takes part.
  bool Allows(UnitId id) const {
    return (filter == nullptr || filter->Contains(id)) &&
           (deleted == nullptr || !deleted->Contains(id));
  }
};

/// kInvalidArgument when the query does not have the segment's dims.
base::Status CheckDims(const kernels::QueryBatch& query, const SegmentReader& segment);

/// Quantises queries for this machine; one pass over the segments then serves them all. Each is
/// row-major [m, dims], 1 ≤ m ≤ 8,192, finite, and there is at least one; otherwise
/// kInvalidArgument.
base::Result<kernels::QueryBatch> PrepareQueries(std::span<const std::span<const float>> queries,
                                                 int dims);
/// A batch of one.
base::Result<kernels::QueryBatch> PrepareQuery(std::span<const float> vectors, int dims);

/// For each query the best `top_k` units, best first, ties by id; the same to the bit for any batch
/// and any layout of units in segments. Runs in the calling thread; looks at `cancel` between
/// blocks.
base::Result<std::vector<std::vector<ScoredUnit>>> ExactSearchBatch(
    const kernels::QueryBatch& queries, std::size_t top_k, Segments segments,
    const Selection& selection, const base::CancelToken& cancel);

/// The same for a batch of one query.
base::Result<std::vector<ScoredUnit>> ExactSearch(const kernels::QueryBatch& query,
                                                  std::size_t top_k, Segments segments,
                                                  const Selection& selection,
                                                  const base::CancelToken& cancel);

/// Scores of these units for a batch of one query, in the order of results; units that no segment
/// has or that the selection does not allow are left out.
base::Result<std::vector<ScoredUnit>> ExactScores(const kernels::QueryBatch& query,
                                                  std::span<const UnitId> units, Segments segments,
                                                  const Selection& selection,
                                                  const base::CancelToken& cancel);

/// For each vector of the batch the vector of `unit` that answers it best: what a heat map shows.
/// kNotFound when no segment has the unit.
base::Result<std::vector<kernels::BestMatch>> BestMatches(const kernels::QueryBatch& queries,
                                                          UnitId unit, Segments segments);

}  // namespace sightline::index
