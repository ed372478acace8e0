// Search over the segments of one space: by the way that suits their size and the filter.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string_view>
#include <vector>

#include "base/deadline.h"
#include "base/result.h"
#include "index/exact_search.h"
#include "index/scored_unit.h"
#include "index/segment_codes.h"

namespace sightline::index {

/// A segment and its codes.
struct IndexedSegment {
  std::shared_ptr<const SegmentReader> segment;
  /// Null where the space has no codebook.
  std::shared_ptr<const SegmentCodes> codes;
};

/// Ways of searching, each followed by exact MaxSim of what it chose.
enum class SearchPath {
  kAuto,   ///< What suits.
  kExact,  ///< Every unit exactly: the truth.
  kFlat,   ///< Every unit by its codes.
  kLists,  ///< Units in the inverted lists nearest to the query, then by their codes.
};

/// The name of a path: "auto", "exact", "flat" or "lists".
std::string_view SearchPathName(SearchPath path);

/// Which path `kAuto` takes, by the vectors that a selection leaves.
struct SearchThresholds {
  /// Up to so many are compared exactly.
  std::uint64_t exact_vectors = 32'768;
  /// Up to so many are scanned by their codes; above, lists are looked into.
  std::uint64_t flat_vectors = 131'072;
};

/// How to search.
struct SearchOptions {
  std::size_t top_k = 10;
  SearchPath path = SearchPath::kAuto;
  /// Lists that each vector of the query probes; 0: 32.
  std::size_t probes = 0;
  /// Units that lists hand on to the codes; 0: ten times those that are scored exactly.
  std::size_t gathered = 0;
  /// Units that codes hand on to exact MaxSim; 0: 200, and at least four times `top_k`.
  std::size_t reranked = 0;
  SearchThresholds thresholds = {};
};

/// What was found.
struct SearchResult {
  /// Exact scores, best first, ties by id.
  std::vector<ScoredUnit> units;
  /// The way that was taken.
  SearchPath path = SearchPath::kExact;
};

/// The best units of a query, row-major [m, dims]. Scores are exact on every path; on `kFlat` and
/// `kLists` a unit of the true best may be missing. Segments without codes of one and the same
/// codebook are searched exactly, and so is whatever is small once the selection is applied; the
/// selection is applied before anything is scored. The result is the same to the bit however units
/// are spread over segments. Runs in the calling thread. kInvalidArgument for a query that
/// `PrepareQuery` refuses.
base::Result<SearchResult> Search(std::span<const float> query, int dims,
                                  std::span<const IndexedSegment> segments,
                                  const SearchOptions& options, const Selection& selection,
                                  const base::CancelToken& cancel);

}  // namespace sightline::index
