// What a dying sandboxed child tells its parent over descriptor 5. Private to the sandbox.
#pragma once

#include <cstdint>

namespace sightline::io {

/// Why the child is about to end. The parent takes it for a hint: the child is not trusted.
enum class SandboxReportKind : uint32_t {
  kForbiddenCall = 1,  ///< value: number of the system call
  kOutOfMemory = 2,
  kExecFailed = 3,   ///< value: errno
  kSetupFailed = 4,  ///< value: errno
};

/// One record, written with one atomic write.
struct SandboxReport {
  static constexpr uint32_t kMagic = 0x534C5342;
  uint32_t magic = kMagic;
  SandboxReportKind kind = SandboxReportKind::kForbiddenCall;
  int32_t value = 0;
};
static_assert(sizeof(SandboxReport) == 12);

/// Exit code of a child that wrote a report.
inline constexpr int kSandboxReportedExit = 113;

/// Writes the report and ends the process. Async-signal-safe.
[[noreturn]] void ReportAndExit(int report_fd, SandboxReportKind kind, int32_t value);

}  // namespace sightline::io
