// Starts the sandbox's child from a process of any size with any number of threads. Private to the
// sandbox.
#pragma once

#include <sys/resource.h>
#include <sys/types.h>

#include <string>
#include <utility>
#include <vector>

#include "base/result.h"

namespace sightline::io {

/// Everything that the child gets; nothing else of this process reaches it.
struct LaunchPlan {
  std::string executable;
  /// argv, argv[0] included.
  std::vector<std::string> arguments;
  /// "NAME=value".
  std::vector<std::string> environment;
  /// Becomes descriptors 0, 1, 2 …; -1: closed. Each is above the last target (see MoveAbove).
  std::vector<int> descriptors;
  std::vector<std::pair<int, rlimit>> limits;
  /// Where the child reports a failed exec; one of `descriptors` by its target number.
  int report_fd = -1;
};

/// Forks and executes. The child is killed when this process ends. The executable's absence is told
/// through the report descriptor.
base::Result<pid_t> LaunchChild(const LaunchPlan& plan);

/// `fd` moved to 16 or above with close-on-exec, so that it is no child's target; closes the old
/// one.
base::Result<int> MoveAbove(int fd);

}  // namespace sightline::io
