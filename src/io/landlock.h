// Landlock: takes the file system away from the calling thread (kernel.org,
// userspace-api/landlock).
#pragma once

#include <span>
#include <string>

#include "base/result.h"

namespace sightline::io {

/// From now on this thread, and those it starts, may only read files at and below `readable_paths`;
/// everything else, and TCP where the kernel knows how, is denied. Missing paths are skipped.
/// Returns the ABI in force, 0 where the kernel has no Landlock. Needs PR_SET_NO_NEW_PRIVS.
base::Result<int> RestrictToReading(std::span<const std::string> readable_paths);

}  // namespace sightline::io
