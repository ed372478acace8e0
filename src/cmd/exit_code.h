// What the program tells its caller by its exit status.
#pragma once

#include "base/status.h"

namespace sightline::cmd {

/// Stable: scripts depend on it (docs/sightline.1).
enum class ExitCode : int {
  kOk = 0,
  kSomeFailed = 1,     ///< nothing found, or something of what was asked failed
  kUsage = 2,          ///< the command line or the configuration is wrong
  kEnvironment = 3,    ///< a file, a folder, a model, a server is missing or not usable
  kInterrupted = 130,  ///< Ctrl-C
  kClosedPipe = 141,   ///< whoever read standard output went away
};

/// The exit status for a failed operation.
ExitCode ExitCodeFor(const base::Status& status);

}  // namespace sightline::cmd
