#include "io/sandbox_death.h"

#include <signal.h>
#include <sys/wait.h>

#include <cstring>
#include <system_error>

#include "base/size_text.h"
#include "base/utf8.h"
#include "io/syscall_filter.h"

namespace sightline::io {
namespace {

std::string LastLine(std::string_view text) {
  while (text.ends_with('\n')) text.remove_suffix(1);
  const size_t newline = text.rfind('\n');
  if (newline != std::string_view::npos) text.remove_prefix(newline + 1);
  return std::string(base::TruncateUtf8(text, 300));
}

base::Status ExplainReport(const SandboxDeath& death, const SandboxLimits& limits) {
  const int value = death.report->value;
  switch (death.report->kind) {
    case SandboxReportKind::kForbiddenCall:
      return base::PermissionDenied(
          death.program +
          " was stopped: it made a system call that it may not make: " + SyscallName(value));
    case SandboxReportKind::kOutOfMemory:
      return base::ResourceExhausted(death.program + " was stopped: it needed more memory than " +
                                     base::FormatSize(limits.memory_bytes));
    case SandboxReportKind::kExecFailed: {
      const std::string message =
          "cannot start " + death.program + ": " + std::generic_category().message(value);
      return value == ENOENT ? base::NotFound(message) : base::PermissionDenied(message);
    }
    case SandboxReportKind::kSetupFailed:
      return base::IoError("cannot set up the sandbox of " + death.program, value);
  }
  return base::DataLoss(death.program + " ended in a way that it could not explain");
}

base::Status ExplainSignal(const SandboxDeath& death, const SandboxLimits& limits) {
  const int signal = WTERMSIG(death.wait_status);
  switch (signal) {
    case SIGXCPU:
      return base::ResourceExhausted(death.program + " was stopped: it used more CPU time than " +
                                     std::to_string(limits.cpu_seconds) + " s");
    case SIGXFSZ:
      return base::ResourceExhausted(death.program + " was stopped: its scratch file grew over " +
                                     base::FormatSize(limits.scratch_bytes));
    case SIGSYS:
      return base::PermissionDenied(death.program +
                                    " was stopped: it made a system call that it may not make");
    case SIGKILL:
      return base::ResourceExhausted(death.program +
                                     " was killed from outside (is the machine out of memory?)");
    default:
      return base::DataLoss(death.program + " crashed: " + strsignal(signal));
  }
}

}  // namespace

base::Status ExplainSandboxDeath(const SandboxDeath& death, const SandboxLimits& limits) {
  if (WIFSIGNALED(death.wait_status)) return ExplainSignal(death, limits);
  const int code = WEXITSTATUS(death.wait_status);
  if (code == 0) return base::OkStatus();
  if (code == kSandboxReportedExit && death.report.has_value() &&
      death.report->magic == SandboxReport::kMagic) {
    return ExplainReport(death, limits);
  }
  const std::string last_line = LastLine(death.stderr_tail);
  return base::DataLoss(death.program + " ended with exit code " + std::to_string(code) +
                        (last_line.empty() ? "" : ": " + last_line));
}

}  // namespace sightline::io
