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

namespace sightline::index {

/// The segments of one space that a query looks at; a unit is in at most one of them.
using Segments = std::span<const std::shared_ptr<const SegmentReader>>;

/// Which units take part. Both are applied before anything is scored.
struct Selection {
  const UnitSet* filter = nullptr;   ///< Only these; null: all.
  const UnitSet* deleted = nullptr;  ///< Never these; null: none.

  /// Whether the unit takes part.
  bool Allows(UnitId id) const {
    return (filter == nullptr || filter->Contains(id)) &&
           (deleted == nullptr || !deleted->Contains(id));
  }
};

/// Quantises a query for this machine. `vectors` is row-major [m, dims], 1 ≤ m ≤ 8,192, finite;
/// otherwise kInvalidArgument.
base::Result<kernels::Int8Query> PrepareQuery(std::span<const float> vectors, int dims);

/// The best `top_k` units, best first, ties by id; the same to the bit for any layout of units in
/// segments. Runs in the calling thread; looks at `cancel` between blocks.
base::Result<std::vector<ScoredUnit>> ExactSearch(const kernels::Int8Query& query,
                                                  std::size_t top_k, Segments segments,
                                                  const Selection& selection,
                                                  const base::CancelToken& cancel);

/// Scores of these units, in the order of results; units that no segment has or that the selection
/// does not allow are left out.
base::Result<std::vector<ScoredUnit>> ExactScores(const kernels::Int8Query& query,
                                                  std::span<const UnitId> units, Segments segments,
                                                  const Selection& selection,
                                                  const base::CancelToken& cancel);

}  // namespace sightline::index
