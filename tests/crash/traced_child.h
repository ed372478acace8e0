// Runs a program under strace, which kills it at a system call or makes the call fail.
#pragma once

#include <string>
#include <vector>

namespace sightline::crash {

/// What happens at the `at`-th call, counted from 1, of the system call `name`.
struct Fault {
  std::string name;
  int at = 1;
  /// As strace has it: "signal=KILL" (before the call), "error=ENOSPC" (instead of it).
  std::string what;
};

/// How a run ended.
struct TracedRun {
  bool killed = false;               ///< By SIGKILL.
  int status = -1;                   ///< Otherwise the exit status; -1: another signal.
  std::vector<std::string> journal;  ///< Complete lines of the standard output.
  std::vector<std::string> calls;    ///< strace's lines, with paths behind descriptors.
};

/// Runs `program` with the one argument `folder`; `fault.name` empty: unharmed. Calls of the kinds
/// `traced`, joined by commas, are recorded. strace must be installed and allowed to trace;
/// where it is not, the status is its own and `calls` is empty.
TracedRun RunTraced(const std::string& program, const std::string& folder, const Fault& fault,
                    const std::string& traced);

/// Whether this machine or container lets a process trace its child at all (ptrace). Where it does
/// not, no test can stop a program at a system call.
bool TracingIsPermitted();

}  // namespace sightline::crash
