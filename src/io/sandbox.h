// The process sandbox: untrusted bytes are decoded in a child program that can read one file, talk
// over two pipes and do nothing else.
//
// Parent: `SandboxedProcess::Start` starts the program with rlimits, a clean environment and only
// the descriptors below. Child: `main` calls `EnterSandbox` before it reads any byte of input; from
// then on Landlock, a system-call allow-list and empty namespaces hold. `DESIGN.md` section 8.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "base/deadline.h"
#include "base/result.h"
#include "base/status.h"

namespace sightline::io {

/// Descriptors that the child finds open. Frames go over stdin and stdout; stderr is kept as a
/// tail.
inline constexpr int kSandboxInputFd = 3;    ///< the input file, read-only, position 0
inline constexpr int kSandboxScratchFd = 4;  ///< an empty unnamed writable file, only on request
inline constexpr int kSandboxReportFd = 5;   ///< private to sandbox.cc and sandbox_child.cc

/// What the child may use. Going over one ends the child; `Wait` says which one it was.
struct SandboxLimits {
  /// Private writable memory (RLIMIT_DATA). Address space is limited to four times this plus 4 GiB.
  uint64_t memory_bytes = uint64_t{512} << 20;
  /// CPU time of all its threads together (RLIMIT_CPU).
  uint32_t cpu_seconds = 120;
  /// Time that the parent spends waiting for the child, in all. A child that waits for a slow
  /// reader uses none of it.
  uint32_t wait_ms = 10 * 60 * 1000;
  /// Largest size of the scratch file (RLIMIT_FSIZE).
  uint64_t scratch_bytes = 0;
  /// Open descriptors (RLIMIT_NOFILE).
  uint32_t open_files = 64;
  /// Threads, where the kernel can count them for one sandbox (a user namespace can be made).
  uint32_t threads = 16;
  /// Largest frame in either direction; a longer length is refused before it is allocated.
  uint32_t max_frame_bytes = uint32_t{64} << 20;
};

/// How to start a sandboxed program.
struct SandboxOptions {
  /// Absolute path of the program.
  std::string executable;
  /// Arguments after argv[0].
  std::vector<std::string> arguments;
  /// The file that becomes descriptor 3, opened read-only by the parent; empty: none.
  std::string input_path;
  /// The folder in which the unnamed file behind descriptor 4 is made; empty: no scratch file.
  std::string scratch_directory;
  SandboxLimits limits;
  /// Ends waiting, and with it the child, early.
  base::CancelToken cancel;
};

/// A running sandboxed child. Not thread-safe: one thread at a time, but any thread.
class SandboxedProcess {
 public:
  /// Starts the program. Safe in a large process with many threads (vfork from a thread of its
  /// own). kNotFound / kPermissionDenied when the program or the input cannot be opened.
  static base::Result<std::unique_ptr<SandboxedProcess>> Start(SandboxOptions options);

  /// Kills the child if it runs, and reaps it.
  virtual ~SandboxedProcess() = default;

  /// Sends one frame. When the child has died, the Status is the one of `Wait`.
  virtual base::Status WriteFrame(std::span<const char> payload) = 0;
  /// Tells the child that no frame will follow (closes its stdin).
  virtual void CloseInput() = 0;
  /// The next frame; nullopt when the child closed its stdout between two frames and ended well.
  /// When it died, the Status is the one of `Wait`. A torn or too long frame is kDataLoss and kills
  /// it.
  virtual base::Result<std::optional<std::string>> ReadFrame() = 0;
  /// Kills the child. `Wait` still has to be called to know how it ended.
  virtual void Kill() = 0;
  /// Closes its input and waits until the child has ended: ok after exit code 0, otherwise why it
  /// died, in words for a person: kResourceExhausted (memory, CPU, file size), kDeadlineExceeded,
  /// kCancelled, kPermissionDenied (a forbidden system call, by name), kDataLoss (crash by signal,
  /// other exit).
  virtual base::Status Wait() = 0;
  /// The last 4 KiB that the child wrote to stderr, as valid UTF-8.
  virtual std::string stderr_tail() const = 0;
};

/// What `EnterSandbox` could put in place; a kernel without Landlock or namespaces still has the
/// rest.
struct SandboxState {
  bool seccomp = false;
  bool network_namespace = false;
  /// Landlock ABI in force, 0: none.
  int landlock_abi = 0;
};

/// What a program needs after `EnterSandbox` beside what it has open.
struct SandboxPolicy {
  /// Files and folders that stay readable, beside system libraries, fonts and the folders of the
  /// libraries that are loaded already. Missing ones are ignored.
  std::vector<std::string> readable_paths;
  /// As in the parent's limits; applied where the kernel can count per sandbox.
  uint32_t threads = 16;
};

/// Child side: closes the sandbox behind the calling process. Call it first in `main`, while there
/// is one thread and no byte of input has been read. From then on a forbidden system call and an
/// allocation over the memory limit end the process, and the parent is told why. Opening a file for
/// writing fails with EACCES. Fails when the system-call filter cannot be installed.
base::Result<SandboxState> EnterSandbox(const SandboxPolicy& policy);

}  // namespace sightline::io
