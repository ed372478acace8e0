// Describes and verifies a segment file, for `sightline inspect FILE`.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "base/result.h"
#include "io/file_system.h"

namespace sightline::index {

/// What a segment holds: names and values for people.
using SegmentFacts = std::vector<std::pair<std::string, std::string>>;

/// Whether the file at `path` begins as a segment does; false when it cannot be read.
bool LooksLikeSegment(io::FileSystem& files, const std::string& path);

/// What the segment at `path` holds, after every checksum in it was checked. A damaged file is
/// kDataLoss with the offset; a file from a later program kFailedPrecondition.
base::Result<SegmentFacts> InspectSegment(io::FileSystem& files, const std::string& path);

}  // namespace sightline::index
