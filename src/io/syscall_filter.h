// The system calls that a decoder may make (seccomp).
#pragma once

#include <string>

#include "base/status.h"

namespace sightline::io {

/// Installs the filter on every thread of the process, for good. A call outside the list raises
/// SIGSYS; calls that libraries make without need (opening for writing, making folders) fail with
/// EACCES instead; clone3 says ENOSYS, so that glibc takes clone, which is allowed for threads
/// only.
base::Status InstallDecoderSyscallFilter();

/// The name of a system call of this machine ("socket"), or "number N".
std::string SyscallName(int number);

}  // namespace sightline::io
