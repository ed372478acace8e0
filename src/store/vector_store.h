// Port: the vectors of units, searched by MaxSim.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/deadline.h"
#include "base/result.h"
#include "index/scored_unit.h"
#include "index/unit_set.h"
#include "kernels/max_sim.h"
#include "store/catalog.h"
#include "store/search_mode.h"

namespace sightline::store {

/// Which vectors: one space of one collection. A single-vector space is one vector a unit.
struct SpaceKey {
  std::string collection;
  std::string space_id;
  int dims = 0;
};

/// Collects vectors of many units into one immutable segment. Not thread-safe.
class VectorWriter {
 public:
  virtual ~VectorWriter() = default;
  /// `vectors` is row-major [n, dims], n ≥ 1, finite. Ids in increasing order.
  virtual base::Status Add(UnitId id, std::span<const float> vectors) = 0;
  /// Writes and fsyncs; the segment exists once a catalog commit refers to it.
  virtual base::Result<SegmentRef> Finish() = 0;
};

using index::ScoredUnit;

/// What is looked for, and where.
struct VectorQuery {
  SpaceKey space;
  std::span<const float> vectors;  ///< Row-major [m, dims], m ≥ 1.
  std::size_t top_k = 100;
  const index::UnitSet* filter = nullptr;  ///< Only these units; null: all.
  SearchMode mode = SearchMode::kFast;
};

/// Thread-safe. Results are sorted by score descending, ties by unit id ascending, and do not
/// depend on thread count or on how units are spread over segments.
class VectorStore {
 public:
  virtual ~VectorStore() = default;
  /// For a new segment of the space.
  virtual base::Result<std::unique_ptr<VectorWriter>> NewWriter(const SpaceKey& space) = 0;
  /// Best `top_k` units under the filter, deleted units left out before scoring.
  virtual base::Result<std::vector<ScoredUnit>> Search(const VectorQuery& query,
                                                       const Snapshot& snapshot,
                                                       const base::CancelToken& cancel) = 0;
  /// Exact scores of these units; units without vectors in the space are left out.
  virtual base::Result<std::vector<ScoredUnit>> Score(const VectorQuery& query,
                                                      std::span<const UnitId> units,
                                                      const Snapshot& snapshot,
                                                      const base::CancelToken& cancel) = 0;
  /// For each vector of the query the vector of `unit` that answers it best: what a heat map shows.
  /// kNotFound when the space has no vectors of it.
  virtual base::Result<std::vector<kernels::BestMatch>> Match(const VectorQuery& query, UnitId unit,
                                                              const Snapshot& snapshot) = 0;
  /// Merges small segments of the snapshot where that pays, leaving deleted units out. Returns
  /// what was merged: the caller puts it into the catalog, then retires what was replaced. A
  /// `merged` of 0 units means that all units of `replaced` were deleted.
  struct Merge {
    std::vector<SegmentRef> replaced;
    SegmentRef merged;
  };
  /// See `Merge`; nothing to merge is an empty list.
  virtual base::Result<std::vector<Merge>> Compact(const Snapshot& snapshot,
                                                   const base::CancelToken& cancel) = 0;
  /// Deletes the files of segments that no catalog row refers to any more, as soon as no reader
  /// holds them.
  virtual base::Status Retire(std::span<const SegmentRef> segments) = 0;
  /// Deletes every segment file that is not in `live`. Only at start, before anything is written:
  /// a finished segment whose commit is still to come would go too.
  virtual base::Status CollectGarbage(std::span<const std::string> live) = 0;
};

}  // namespace sightline::store
