// Describes and verifies a segment file, for `sightline inspect FILE`.
#pragma once

#include <string>

#include "base/result.h"
#include "io/file_system.h"

namespace sightline::index {

/// Lines of text that say what the segment at `path` holds, after every checksum in it was checked.
/// A damaged file is kDataLoss with the offset; a file from a later program kFailedPrecondition.
base::Result<std::string> InspectSegment(io::FileSystem& files, const std::string& path);

}  // namespace sightline::index
