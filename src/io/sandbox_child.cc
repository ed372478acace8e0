// The child's side of the sandbox: EnterSandbox.
#include <dirent.h>
#include <link.h>
#include <linux/capability.h>
#include <sched.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <cerrno>
#include <new>
#include <set>

#include "io/file_system.h"
#include "io/landlock.h"
#include "io/sandbox.h"
#include "io/sandbox_report.h"
#include "io/sanitizer.h"
#include "io/syscall_filter.h"

namespace sightline::io {
namespace {

// What libraries read while they work: other libraries, fonts, time zones, what the CPU is.
constexpr const char* kSystemPaths[] = {"/lib",
                                        "/lib64",
                                        "/usr/lib",
                                        "/usr/lib64",
                                        "/usr/share/fonts",
                                        "/usr/local/share/fonts",
                                        "/etc/fonts",
                                        "/etc/ld.so.cache",
                                        "/usr/share/zoneinfo",
                                        "/etc/localtime",
                                        "/proc/cpuinfo",
                                        "/proc/meminfo",
                                        "/proc/self",
                                        "/sys/devices/system/cpu",
                                        "/dev/null",
                                        "/dev/urandom"};

int CollectLibraryFolder(dl_phdr_info* info, size_t /*size*/, void* folders) {
  const std::string_view name = info->dlpi_name;
  if (name.starts_with('/')) {
    static_cast<std::set<std::string>*>(folders)->insert(ParentPath(name));
  }
  return 0;
}

std::vector<std::string> ReadablePaths(const SandboxPolicy& policy) {
  std::set<std::string> paths(std::begin(kSystemPaths), std::end(kSystemPaths));
  paths.insert(policy.readable_paths.begin(), policy.readable_paths.end());
  dl_iterate_phdr(&CollectLibraryFolder, &paths);
  return {paths.begin(), paths.end()};
}

base::Status RequireOneThread() {
  // The runtimes of sanitizers may have a thread of their own.
  if (kSanitized) return base::OkStatus();
  DIR* tasks = opendir("/proc/self/task");
  if (tasks == nullptr) return base::IoError("sandbox: cannot count threads", errno);
  size_t threads = 0;
  while (const dirent* entry = readdir(tasks)) threads += entry->d_name[0] == '.' ? 0 : 1;
  closedir(tasks);
  if (threads == 1) return base::OkStatus();
  return base::FailedPrecondition("sandbox: must be entered with one thread, there are " +
                                  std::to_string(threads));
}

// A user namespace without a mapped user has no rights outside; with it come an empty network and
// a private System V world. Containers may forbid it: the filter denies sockets anyway.
bool LeaveNamespaces(uint32_t threads) {
  if (unshare(CLONE_NEWUSER | CLONE_NEWNET | CLONE_NEWIPC) != 0) return false;
  // In the new namespace only this process counts.
  rlimit limit{};
  if (getrlimit(RLIMIT_NPROC, &limit) == 0 && limit.rlim_max > threads) {
    limit = {threads, threads};
    setrlimit(RLIMIT_NPROC, &limit);
  }
  // A change of credentials may have cleared what the parent set.
  prctl(PR_SET_PDEATHSIG, SIGKILL);
  return true;
}

base::Status DropCapabilities() {
  __user_cap_header_struct header{_LINUX_CAPABILITY_VERSION_3, 0};
  __user_cap_data_struct none[2] = {};
  if (syscall(SYS_capset, &header, none) == 0) return base::OkStatus();
  return base::IoError("sandbox: cannot drop capabilities", errno);
}

void OnForbiddenCall(int /*signal*/, siginfo_t* info, void* /*context*/) {
  ReportAndExit(kSandboxReportFd, SandboxReportKind::kForbiddenCall, info->si_syscall);
}

void OnOutOfMemory() { ReportAndExit(kSandboxReportFd, SandboxReportKind::kOutOfMemory, 0); }

base::Status InstallReports() {
  std::set_new_handler(&OnOutOfMemory);
  struct sigaction action {};
  action.sa_sigaction = &OnForbiddenCall;
  action.sa_flags = SA_SIGINFO;
  sigemptyset(&action.sa_mask);
  if (sigaction(SIGSYS, &action, nullptr) == 0) return base::OkStatus();
  return base::IoError("sandbox: cannot handle SIGSYS", errno);
}

}  // namespace

void ReportAndExit(int report_fd, SandboxReportKind kind, int32_t value) {
  const SandboxReport report{SandboxReport::kMagic, kind, value};
  // Without a parent that listens nobody is told; the process ends either way.
  [[maybe_unused]] const ssize_t written = write(report_fd, &report, sizeof(report));
  _exit(kSandboxReportedExit);
}

base::Result<SandboxState> EnterSandbox(const SandboxPolicy& policy) {
  SIGHTLINE_RETURN_IF_ERROR(RequireOneThread());
  if (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) != 0) {
    return base::IoError("sandbox: cannot set no_new_privs", errno);
  }
  SandboxState state;
  const std::vector<std::string> readable_paths = ReadablePaths(policy);
  SIGHTLINE_ASSIGN_OR_RETURN(state.landlock_abi, RestrictToReading(readable_paths));
  state.network_namespace = LeaveNamespaces(policy.threads);
  SIGHTLINE_RETURN_IF_ERROR(DropCapabilities());
  SIGHTLINE_RETURN_IF_ERROR(InstallReports());
  SIGHTLINE_RETURN_IF_ERROR(InstallDecoderSyscallFilter());
  state.seccomp = true;
  return state;
}

}  // namespace sightline::io
