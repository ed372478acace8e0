// The parent's side of the sandbox: SandboxedProcess.
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <sys/eventfd.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <chrono>
#include <cstdint>
#include <cstring>
#include <stop_token>

#include "base/clock.h"
#include "base/utf8.h"
#include "io/child_launch.h"
#include "io/frame_stream.h"
#include "io/sandbox.h"
#include "io/sandbox_death.h"
#include "io/sandbox_report.h"
#include "io/sanitizer.h"
#include "io/unique_fd.h"

namespace sightline::io {
namespace {

constexpr size_t kStderrTailBytes = 4096;

struct Pipe {
  UniqueFd read_end;
  UniqueFd write_end;
};

base::Result<Pipe> MakePipe() {
  std::array<int, 2> fds{};
  if (pipe2(fds.data(), O_CLOEXEC) != 0) return base::IoError("cannot make a pipe", errno);
  Pipe pipe{UniqueFd(fds[0]), UniqueFd(fds[1])};
  SIGHTLINE_ASSIGN_OR_RETURN(const int read_fd, MoveAbove(pipe.read_end.Release()));
  pipe.read_end = UniqueFd(read_fd);
  SIGHTLINE_ASSIGN_OR_RETURN(const int write_fd, MoveAbove(pipe.write_end.Release()));
  pipe.write_end = UniqueFd(write_fd);
  return pipe;
}

void SetNonBlocking(const UniqueFd& fd) {
  fcntl(fd.get(), F_SETFL, fcntl(fd.get(), F_GETFL) | O_NONBLOCK);
}

base::Result<UniqueFd> OpenInput(const std::string& path) {
  if (path.empty()) return UniqueFd();
  // Non-blocking: opening a FIFO must not wait for its other end.
  const int fd = open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NOCTTY | O_NONBLOCK);
  if (fd < 0) {
    if (errno == ENOENT) return base::NotFound("there is no file " + path);
    if (errno == EACCES) return base::PermissionDenied("may not read " + path);
    return base::IoError("cannot open " + path, errno);
  }
  UniqueFd input(fd);
  struct stat info {};
  if (fstat(fd, &info) != 0) return base::IoError("cannot look at " + path, errno);
  if (!S_ISREG(info.st_mode)) return base::InvalidArgument("not a regular file: " + path);
  SIGHTLINE_ASSIGN_OR_RETURN(const int moved, MoveAbove(input.Release()));
  return UniqueFd(moved);
}

base::Result<UniqueFd> OpenScratch(const std::string& directory) {
  if (directory.empty()) return UniqueFd();
  int fd = open(directory.c_str(), O_TMPFILE | O_RDWR | O_CLOEXEC, 0600);
  if (fd < 0) {
    // Not every file system has unnamed files.
    std::string path = directory + "/scratch-XXXXXX";
    fd = mkostemp(path.data(), O_CLOEXEC);
    if (fd >= 0) unlink(path.c_str());
  }
  if (fd < 0) return base::IoError("cannot make a scratch file in " + directory, errno);
  SIGHTLINE_ASSIGN_OR_RETURN(const int moved, MoveAbove(fd));
  return UniqueFd(moved);
}

base::Status CheckExecutable(const std::string& path) {
  if (access(path.c_str(), X_OK) == 0) return base::OkStatus();
  if (errno == ENOENT) return base::NotFound("there is no program " + path);
  return base::PermissionDenied("may not run " + path);
}

std::vector<std::pair<int, rlimit>> ResourceLimits(const SandboxLimits& limits) {
  const auto fixed = [](uint64_t value) { return rlimit{value, value}; };
  std::vector<std::pair<int, rlimit>> out = {
      {RLIMIT_CORE, fixed(0)},
      {RLIMIT_CPU, rlimit{limits.cpu_seconds, limits.cpu_seconds + 1}},
      {RLIMIT_FSIZE, fixed(limits.scratch_bytes)},
      {RLIMIT_NOFILE, fixed(limits.open_files)},
      {RLIMIT_STACK, fixed(uint64_t{8} << 20)},
      {RLIMIT_MEMLOCK, fixed(0)},
      {RLIMIT_MSGQUEUE, fixed(0)}};
  if (!kSanitized) {
    out.emplace_back(RLIMIT_DATA, fixed(limits.memory_bytes));
    out.emplace_back(RLIMIT_AS, fixed(4 * limits.memory_bytes + (uint64_t{4} << 30)));
  }
  return out;
}

std::vector<std::string> CleanEnvironment() {
  // One arena a thread would each reserve address space; messages are for logs, in English.
  std::vector<std::string> environment = {"LC_ALL=C.UTF-8", "TZ=UTC", "MALLOC_ARENA_MAX=2",
                                          "HOME=/nonexistent", "PATH=/usr/bin:/bin"};
  // Leak checking stops the process with ptrace, which the sandbox forbids.
  if (kSanitized) environment.emplace_back("ASAN_OPTIONS=detect_leaks=0");
  return environment;
}

// Keeps SIGPIPE from reaching this process while it writes to a child that may have died.
class SigpipeGuard {
 public:
  SigpipeGuard() {
    sigemptyset(&sigpipe_);
    sigaddset(&sigpipe_, SIGPIPE);
    sigset_t pending;
    sigpending(&pending);
    was_pending_ = sigismember(&pending, SIGPIPE) == 1;
    pthread_sigmask(SIG_BLOCK, &sigpipe_, &before_);
  }
  ~SigpipeGuard() {
    const timespec now{0, 0};
    if (!was_pending_) sigtimedwait(&sigpipe_, nullptr, &now);
    pthread_sigmask(SIG_SETMASK, &before_, nullptr);
  }
  SigpipeGuard(const SigpipeGuard&) = delete;
  SigpipeGuard& operator=(const SigpipeGuard&) = delete;

 private:
  sigset_t sigpipe_;
  sigset_t before_;
  bool was_pending_;
};

struct ChildFds {
  UniqueFd to_child;
  UniqueFd from_child;
  UniqueFd errors;
  UniqueFd reports;
  UniqueFd process;  // pidfd
  UniqueFd wake;     // eventfd: the caller cancelled
};

class SandboxedProcessImpl final : public SandboxedProcess {
 public:
  SandboxedProcessImpl(SandboxOptions options, pid_t pid, ChildFds fds)
      : options_(std::move(options)),
        pid_(pid),
        fds_(std::move(fds)),
        wake_on_cancel_(options_.cancel.stop_token(), WakeUp{fds_.wake.get()}) {}

  ~SandboxedProcessImpl() override {
    Kill();
    if (!reaped_) waitpid(pid_, nullptr, 0);
  }

  base::Status WriteFrame(std::span<const char> payload) override {
    if (payload.size() > options_.limits.max_frame_bytes) {
      return base::ResourceExhausted("a frame is too long: " + std::to_string(payload.size()) +
                                     " bytes");
    }
    const auto header = EncodeFrameHeader(static_cast<uint32_t>(payload.size()));
    SIGHTLINE_RETURN_IF_ERROR(WriteFully(header));
    return WriteFully(payload);
  }

  void CloseInput() override { fds_.to_child.Reset(); }

  base::Result<std::optional<std::string>> ReadFrame() override {
    std::array<char, kFrameHeaderBytes> header;
    SIGHTLINE_ASSIGN_OR_RETURN(const size_t header_bytes, ReadFully(header));
    if (header_bytes == 0) {
      SIGHTLINE_RETURN_IF_ERROR(Wait());
      return std::optional<std::string>();
    }
    if (header_bytes < header.size()) return Torn("its output ends inside a frame header");
    const uint32_t size_bytes = DecodeFrameHeader(header);
    if (size_bytes > options_.limits.max_frame_bytes) {
      return Torn("it sent a frame that is too long: " + std::to_string(size_bytes) + " bytes");
    }
    std::string payload(size_bytes, '\0');
    SIGHTLINE_ASSIGN_OR_RETURN(const size_t payload_bytes, ReadFully(payload));
    if (payload_bytes < size_bytes) return Torn("its output ends inside a frame");
    return std::optional<std::string>(std::move(payload));
  }

  void Kill() override {
    if (!reaped_) kill(pid_, SIGKILL);
  }

  base::Status Wait() override {
    CloseInput();
    while (!reaped_) {
      const int wait_status = TryReap();
      if (reaped_) {
        DrainErrors();
        if (verdict_.ok()) verdict_ = ExplainDeath(wait_status);
        break;
      }
      const base::Status waited = WaitFor(fds_.process.get(), POLLIN);
      // WaitFor has killed the child; the next round reaps it.
      if (!waited.ok() && verdict_.ok()) verdict_ = waited;
      if (!waited.ok()) ReapKilled();
    }
    return verdict_;
  }

  std::string stderr_tail() const override { return base::SanitizeUtf8(stderr_tail_); }

 private:
  struct WakeUp {
    int fd;
    void operator()() const { eventfd_write(fd, 1); }
  };

  std::string name() const {
    return options_.executable.substr(options_.executable.rfind('/') + 1);
  }

  base::Status ExplainDeath(int wait_status) {
    SandboxReport report{0, SandboxReportKind::kForbiddenCall, 0};
    const bool reported =
        read(fds_.reports.get(), &report, sizeof(report)) == ssize_t{sizeof(report)};
    return ExplainSandboxDeath(
        {name(), wait_status, reported ? std::optional(report) : std::nullopt, stderr_tail()},
        options_.limits);
  }

  // Reaps the child if it has ended; its wait status.
  int TryReap() {
    int wait_status = 0;
    pid_t got = 0;
    do {
      got = waitpid(pid_, &wait_status, WNOHANG);
    } while (got < 0 && errno == EINTR);
    reaped_ = got != 0;
    return wait_status;
  }

  // A killed child ends at once, whatever budget is left.
  void ReapKilled() {
    while (waitpid(pid_, nullptr, 0) < 0 && errno == EINTR) {
    }
    reaped_ = true;
    DrainErrors();
  }

  // The first fault decides: the child is killed, and every later call says the same.
  base::Status Torn(const std::string& what) {
    // A child that was stopped in the middle of a frame is told about by how it died.
    if (TryExplainEnd()) return verdict_;
    Kill();
    ReapKilled();
    verdict_ = base::DataLoss(name() + " broke the protocol: " + what);
    return verdict_;
  }

  // After an end of stream: whether the child is about to end with a failure of its own.
  bool TryExplainEnd() { return !stream_ended_ ? false : !Wait().ok(); }

  base::Result<size_t> ReadFully(std::span<char> out) {
    if (!verdict_.ok()) return verdict_;
    size_t done = 0;
    while (done < out.size()) {
      const ssize_t got = read(fds_.from_child.get(), out.data() + done, out.size() - done);
      if (got > 0) {
        done += static_cast<size_t>(got);
      } else if (got == 0) {
        stream_ended_ = true;
        break;
      } else if (errno == EAGAIN) {
        SIGHTLINE_RETURN_IF_ERROR(WaitOrDie(fds_.from_child.get(), POLLIN));
      } else if (errno != EINTR) {
        return base::IoError("cannot read from " + name(), errno);
      }
    }
    return done;
  }

  base::Status WriteFully(std::span<const char> data) {
    if (!verdict_.ok()) return verdict_;
    const SigpipeGuard guard;
    while (!data.empty()) {
      const ssize_t put = write(fds_.to_child.get(), data.data(), data.size());
      if (put >= 0) {
        data = data.subspan(static_cast<size_t>(put));
      } else if (errno == EAGAIN) {
        SIGHTLINE_RETURN_IF_ERROR(WaitOrDie(fds_.to_child.get(), POLLOUT));
      } else if (errno == EPIPE) {
        const base::Status ended = Wait();
        return ended.ok() ? base::DataLoss(name() + " ended before it read its input") : ended;
      } else if (errno != EINTR) {
        return base::IoError("cannot write to " + name(), errno);
      }
    }
    return base::OkStatus();
  }

  base::Status WaitOrDie(int fd, short events) {
    base::Status status = WaitFor(fd, events);
    if (status.ok()) return status;
    ReapKilled();
    verdict_ = status;
    return status;
  }

  // Waits until `fd` is ready or its other end is closed. When time is up or the caller cancels,
  // kills the child and says so.
  base::Status WaitFor(int fd, short events) {
    for (;;) {
      base::Status status = options_.cancel.Check();
      const auto budget = std::chrono::milliseconds(options_.limits.wait_ms) - waited_;
      if (status.ok() && budget <= std::chrono::nanoseconds(0)) {
        status = base::DeadlineExceeded(name() + " was stopped: no end after " +
                                        std::to_string(options_.limits.wait_ms / 1000) + " s");
      }
      if (!status.ok()) {
        Kill();
        return status;
      }
      const auto limit = std::min<std::chrono::nanoseconds>(budget, options_.cancel.remaining());
      std::array<pollfd, 3> polled = {pollfd{fd, events, 0},
                                      pollfd{errors_open_ ? fds_.errors.get() : -1, POLLIN, 0},
                                      pollfd{fds_.wake.get(), POLLIN, 0}};
      const auto start = base::SystemClock().Now();
      const auto limit_ms = std::chrono::ceil<std::chrono::milliseconds>(limit).count();
      poll(polled.data(), polled.size(), static_cast<int>(std::min<int64_t>(limit_ms, 3'600'000)));
      waited_ += base::SystemClock().Now() - start;
      if (polled[1].revents != 0) DrainErrors();
      if (polled[0].revents != 0) return base::OkStatus();
    }
  }

  void DrainErrors() {
    std::array<char, 4096> buffer;
    for (;;) {
      const ssize_t got = read(fds_.errors.get(), buffer.data(), buffer.size());
      if (got < 0 && errno == EINTR) continue;
      if (got == 0) errors_open_ = false;
      if (got <= 0) return;
      stderr_tail_.append(buffer.data(), static_cast<size_t>(got));
      if (stderr_tail_.size() > kStderrTailBytes) {
        stderr_tail_.erase(0, stderr_tail_.size() - kStderrTailBytes);
      }
    }
  }

  const SandboxOptions options_;
  const pid_t pid_;
  ChildFds fds_;
  std::chrono::nanoseconds waited_{0};
  bool reaped_ = false;
  bool errors_open_ = true;
  bool stream_ended_ = false;
  base::Status verdict_;
  std::string stderr_tail_;
  std::stop_callback<WakeUp> wake_on_cancel_;
};

}  // namespace

base::Result<std::unique_ptr<SandboxedProcess>> SandboxedProcess::Start(SandboxOptions options) {
  SIGHTLINE_RETURN_IF_ERROR(options.cancel.Check());
  SIGHTLINE_RETURN_IF_ERROR(CheckExecutable(options.executable));
  SIGHTLINE_ASSIGN_OR_RETURN(const UniqueFd input, OpenInput(options.input_path));
  SIGHTLINE_ASSIGN_OR_RETURN(const UniqueFd scratch, OpenScratch(options.scratch_directory));
  SIGHTLINE_ASSIGN_OR_RETURN(Pipe in, MakePipe());
  SIGHTLINE_ASSIGN_OR_RETURN(Pipe out, MakePipe());
  SIGHTLINE_ASSIGN_OR_RETURN(Pipe errors, MakePipe());
  SIGHTLINE_ASSIGN_OR_RETURN(Pipe reports, MakePipe());

  LaunchPlan plan;
  plan.executable = options.executable;
  plan.arguments = {options.executable};
  plan.arguments.insert(plan.arguments.end(), options.arguments.begin(), options.arguments.end());
  plan.environment = CleanEnvironment();
  plan.descriptors = {in.read_end.get(), out.write_end.get(), errors.write_end.get(),
                      input.get(),       scratch.get(),       reports.write_end.get()};
  plan.report_fd = kSandboxReportFd;
  plan.limits = ResourceLimits(options.limits);
  SIGHTLINE_ASSIGN_OR_RETURN(const pid_t pid, LaunchChild(plan));

  ChildFds fds;
  fds.to_child = std::move(in.write_end);
  fds.from_child = std::move(out.read_end);
  fds.errors = std::move(errors.read_end);
  fds.reports = std::move(reports.read_end);
  fds.process = UniqueFd(static_cast<int>(syscall(SYS_pidfd_open, pid, 0)));
  fds.wake = UniqueFd(eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK));
  for (const UniqueFd* fd : {&fds.to_child, &fds.from_child, &fds.errors, &fds.reports}) {
    SetNonBlocking(*fd);
  }
  const bool complete = fds.process.valid() && fds.wake.valid();
  auto process = std::make_unique<SandboxedProcessImpl>(std::move(options), pid, std::move(fds));
  if (!complete) return base::IoError("cannot watch a process: pidfd or eventfd");
  return std::unique_ptr<SandboxedProcess>(std::move(process));
}

}  // namespace sightline::io
