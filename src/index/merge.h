// Merges segments of one space into one.
#pragma once

#include <optional>
#include <string>

#include "base/deadline.h"
#include "base/result.h"
#include "index/exact_search.h"
#include "index/segment_writer.h"

namespace sightline::index {

/// What a merge leaves out and adds.
struct MergeOptions {
  /// These units are left out; null: none.
  const UnitSet* deleted = nullptr;
  /// How the merged segment gets codes; nothing: it is a plain one.
  std::optional<SegmentCoding> coding;
};

/// Writes the units of `segments` to `path` in the order of their ids, int8 codes and scales
/// unchanged. The file depends on the units alone, not on how they were spread. `units` is 0, and
/// no file is left, when none remains. kDataLoss when a unit is in two segments; errors of
/// `SegmentWriter::FinishCoded`.
base::Result<SegmentInfo> MergeSegments(io::FileSystem& files, const std::string& path,
                                        Segments segments, const MergeOptions& options,
                                        const base::CancelToken& cancel);

}  // namespace sightline::index
