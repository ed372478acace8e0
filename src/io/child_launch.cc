#include "io/child_launch.h"

#include <fcntl.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <cerrno>
#include <functional>
#include <future>

#include "base/thread_pool.h"
#include "io/sandbox_report.h"

namespace sightline::io {
namespace {

constexpr int kFirstFreeFd = 16;

// The plan as the child needs it: pointers only, since it must not allocate.
struct PreparedPlan {
  explicit PreparedPlan(const LaunchPlan& launch_plan) : plan(launch_plan) {
    for (const std::string& text : plan.arguments)
      arguments.push_back(const_cast<char*>(text.c_str()));
    arguments.push_back(nullptr);
    for (const std::string& text : plan.environment) {
      environment.push_back(const_cast<char*>(text.c_str()));
    }
    environment.push_back(nullptr);
    parent = getpid();
  }

  const LaunchPlan& plan;
  std::vector<char*> arguments;
  std::vector<char*> environment;
  pid_t parent;
};

// Runs in the memory of the parent, whose thread stands still: system calls only, no allocation, no
// locks, no write to anything that the parent reads afterwards.
[[noreturn]] void RunChild(const PreparedPlan& prepared, const sigset_t& no_signals) {
  const LaunchPlan& plan = prepared.plan;
  for (int signal = 1; signal < NSIG; ++signal) {
    if (signal == SIGKILL || signal == SIGSTOP) continue;
    struct sigaction action {};
    action.sa_handler = SIG_DFL;
    // Numbers that the C library keeps for itself fail; they are reset by exec.
    sigaction(signal, &action, nullptr);
  }
  sigprocmask(SIG_SETMASK, &no_signals, nullptr);
  setsid();
  const int target_count = static_cast<int>(plan.descriptors.size());
  for (int target = 0; target < target_count; ++target) {
    const int source = plan.descriptors[static_cast<size_t>(target)];
    if (source < 0) {
      close(target);
    } else if (dup2(source, target) < 0) {
      ReportAndExit(plan.report_fd, SandboxReportKind::kSetupFailed, errno);
    }
  }
  // Without close_range (before Linux 5.9) our own descriptors still close on exec.
  syscall(SYS_close_range, static_cast<unsigned>(target_count), ~0U, 0U);
  for (const auto& [resource, limit] : plan.limits) {
    if (setrlimit(static_cast<__rlimit_resource>(resource), &limit) != 0) {
      ReportAndExit(plan.report_fd, SandboxReportKind::kSetupFailed, errno);
    }
  }
  if (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) != 0 || prctl(PR_SET_PDEATHSIG, SIGKILL) != 0) {
    ReportAndExit(plan.report_fd, SandboxReportKind::kSetupFailed, errno);
  }
  // The parent may have died before the line above.
  if (getppid() != prepared.parent) _exit(kSandboxReportedExit);
  execve(plan.executable.c_str(), prepared.arguments.data(), prepared.environment.data());
  ReportAndExit(plan.report_fd, SandboxReportKind::kExecFailed, errno);
}

base::Result<pid_t> ForkAndRun(const PreparedPlan& prepared) {
  // A handler of the parent must not run in the child while they share memory.
  sigset_t all;
  sigset_t before;
  sigset_t none;
  sigfillset(&all);
  sigemptyset(&none);
  pthread_sigmask(SIG_SETMASK, &all, &before);
  const pid_t pid = vfork();
  if (pid == 0) RunChild(prepared, none);
  const int error = errno;
  pthread_sigmask(SIG_SETMASK, &before, nullptr);
  if (pid < 0) return base::IoError("cannot start a process", error);
  return pid;
}

}  // namespace

base::Result<pid_t> LaunchChild(const LaunchPlan& plan) {
  // The kernel kills the child when the thread that made it ends, so one thread that lives as long
  // as the process makes them all. It also stands still, alone, until the child has executed.
  static base::ThreadPool launcher({.name = "launcher", .threads = 1, .queue_capacity = 64});
  const PreparedPlan prepared(plan);
  std::promise<base::Result<pid_t>> started;
  std::future<base::Result<pid_t>> result = started.get_future();
  SIGHTLINE_RETURN_IF_ERROR(launcher.Submit([&] { started.set_value(ForkAndRun(prepared)); }));
  return result.get();
}

base::Result<int> MoveAbove(int fd) {
  const int moved = fcntl(fd, F_DUPFD_CLOEXEC, kFirstFreeFd);
  const int error = errno;
  close(fd);
  if (moved < 0) return base::IoError("cannot duplicate a descriptor", error);
  return moved;
}

}  // namespace sightline::io
