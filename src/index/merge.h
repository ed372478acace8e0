// Merges segments of one space into one.
#pragma once

#include <string>

#include "base/deadline.h"
#include "base/result.h"
#include "index/exact_search.h"
#include "index/segment_writer.h"

namespace sightline::index {

/// Writes the units of `segments` that are not in `deleted` to `path`, in the order of their ids,
/// codes and scales unchanged. `units` is 0, and no file is left, when none remains. kDataLoss when
/// a unit is in two segments.
base::Result<SegmentInfo> MergeSegments(io::FileSystem& files, const std::string& path,
                                        Segments segments, const UnitSet* deleted,
                                        const base::CancelToken& cancel);

}  // namespace sightline::index
