// Why a sandboxed child died, in words for a person. Private to the sandbox.
#pragma once

#include <optional>
#include <string>

#include "base/status.h"
#include "io/sandbox.h"
#include "io/sandbox_report.h"

namespace sightline::io {

/// What is known about the end of a child.
struct SandboxDeath {
  std::string program;
  /// As waitpid gives it.
  int wait_status = 0;
  /// What it said itself; not trusted.
  std::optional<SandboxReport> report;
  std::string stderr_tail;
};

/// Ok for exit code 0; otherwise the code that `SandboxedProcess::Wait` promises and the reason.
base::Status ExplainSandboxDeath(const SandboxDeath& death, const SandboxLimits& limits);

}  // namespace sightline::io
