#include "io/syscall_filter.h"

#include <fcntl.h>
#include <sched.h>
#include <seccomp.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <unistd.h>

#include <cerrno>
#include <cstdlib>
#include <initializer_list>
#include <memory>

namespace sightline::io {
namespace {

using Compare = scmp_arg_cmp;

// What reading, computing and threads need, whatever the arguments.
constexpr const char* kAllowed[] = {
    // Open files.
    "read", "write", "readv", "writev", "pread64", "pwrite64", "preadv", "pwritev", "preadv2",
    "pwritev2", "lseek", "close", "fstat", "ftruncate", "fallocate", "fsync", "fdatasync",
    "fadvise64", "dup", "dup2", "dup3", "fcntl", "poll", "ppoll", "select", "pselect6", "fstatfs",
    // Looking at the file system; Landlock says how much of it there is.
    "stat", "lstat", "newfstatat", "statx", "access", "faccessat", "faccessat2", "readlink",
    "readlinkat", "getdents64", "getcwd", "statfs",
    // Memory.
    "munmap", "mremap", "madvise", "brk", "mincore", "membarrier",
    // Threads and signals of its own.
    "futex", "futex_waitv", "set_robust_list", "get_robust_list", "rseq", "set_tid_address", "exit",
    "exit_group", "gettid", "getpid", "getppid", "rt_sigaction", "rt_sigprocmask", "rt_sigreturn",
    "rt_sigtimedwait", "sigaltstack", "restart_syscall", "sched_yield", "sched_getaffinity",
    "sched_getparam", "sched_getscheduler", "sched_get_priority_max", "sched_get_priority_min",
    "getcpu", "getpriority",
    // Time, randomness, what the machine is.
    "nanosleep", "clock_nanosleep", "clock_gettime", "clock_getres", "gettimeofday", "time",
    "times", "getrusage", "getrlimit", "uname", "sysinfo", "getrandom", "getuid", "geteuid",
    "getgid", "getegid", "getresuid", "getresgid"};

// What libraries try and live without.
constexpr const char* kRefused[] = {"creat",
                                    "mkdir",
                                    "mkdirat",
                                    "rmdir",
                                    "unlink",
                                    "unlinkat",
                                    "rename",
                                    "renameat",
                                    "renameat2",
                                    "link",
                                    "linkat",
                                    "symlink",
                                    "symlinkat",
                                    "chmod",
                                    "fchmod",
                                    "fchmodat",
                                    "chown",
                                    "fchown",
                                    "lchown",
                                    "fchownat",
                                    "utime",
                                    "utimes",
                                    "utimensat",
                                    "futimesat",
                                    "truncate",
                                    "setpriority",
                                    "sched_setaffinity",
                                    "sched_setscheduler",
                                    "sched_setparam",
                                    "mlock",
                                    "mlock2",
                                    "munlock",
                                    "memfd_create",
                                    "flock",
                                    "setrlimit",
                                    "get_mempolicy",
                                    "set_mempolicy",
                                    "mbind"};

class FilterBuilder {
 public:
  FilterBuilder() : context_(seccomp_init(SCMP_ACT_TRAP), &seccomp_release) {
    if (context_ == nullptr) error_ = ENOMEM;
  }

  void Add(uint32_t action, const char* name, std::initializer_list<Compare> conditions = {}) {
    if (error_ != 0) return;
    const int number = seccomp_syscall_resolve_name(name);
    // Calls that this architecture or this libseccomp does not have cannot be made either.
    if (number == __NR_SCMP_ERROR || number < 0) return;
    const int added =
        seccomp_rule_add_array(context_.get(), action, number,
                               static_cast<unsigned>(conditions.size()), conditions.begin());
    if (added != 0) error_ = -added;
  }

  // Loads it on all threads.
  base::Status Load() {
    if (error_ == 0) error_ = -seccomp_attr_set(context_.get(), SCMP_FLTATR_CTL_TSYNC, 1);
    if (error_ == 0) error_ = -seccomp_load(context_.get());
    if (error_ == 0) return base::OkStatus();
    return base::IoError("sandbox: cannot install the system-call filter", error_);
  }

 private:
  std::unique_ptr<void, decltype(&seccomp_release)> context_;
  int error_ = 0;
};

// Condition: the bits `mask` of argument `index` are `value`.
Compare Masked(unsigned index, uint64_t mask, uint64_t value) {
  return {index, SCMP_CMP_MASKED_EQ, mask, value};
}

Compare Equal(unsigned index, uint64_t value) { return {index, SCMP_CMP_EQ, value, 0}; }

void AddOpening(FilterBuilder& filter) {
  // Opening is for reading only. Each of the other rules names one bit that makes it more.
  constexpr uint64_t kMoreThanReading = O_ACCMODE | O_CREAT | O_TRUNC | (O_TMPFILE & ~O_DIRECTORY);
  for (const auto& [name, flags_index] : {std::pair("open", 1U), std::pair("openat", 2U)}) {
    filter.Add(SCMP_ACT_ALLOW, name, {Masked(flags_index, kMoreThanReading, O_RDONLY)});
    for (const uint64_t bit : {uint64_t{O_WRONLY}, uint64_t{O_RDWR}, uint64_t{O_CREAT},
                               uint64_t{O_TRUNC}, uint64_t{O_TMPFILE & ~O_DIRECTORY}}) {
      filter.Add(SCMP_ACT_ERRNO(EACCES), name, {Masked(flags_index, bit, bit)});
    }
  }
  // Its flags are in memory, where a filter cannot look.
  filter.Add(SCMP_ACT_ERRNO(ENOSYS), "openat2");
}

void AddMemory(FilterBuilder& filter) {
  // Executable memory comes from files (libraries) only: no code that the input wrote.
  filter.Add(SCMP_ACT_ALLOW, "mmap", {Masked(2, PROT_EXEC, 0)});
  filter.Add(SCMP_ACT_ALLOW, "mmap",
             {Masked(2, PROT_EXEC | PROT_WRITE, PROT_EXEC), Masked(3, MAP_ANONYMOUS, 0)});
  filter.Add(SCMP_ACT_ALLOW, "mprotect", {Masked(2, PROT_EXEC, 0)});
}

void AddProcess(FilterBuilder& filter) {
  filter.Add(SCMP_ACT_ALLOW, "clone", {Masked(0, CLONE_THREAD, CLONE_THREAD)});
  filter.Add(SCMP_ACT_ERRNO(ENOSYS), "clone3");
  // abort() and a thread's own signals.
  filter.Add(SCMP_ACT_ALLOW, "tgkill", {Equal(0, static_cast<uint64_t>(getpid()))});
  // Reading its own limits.
  filter.Add(SCMP_ACT_ALLOW, "prlimit64", {Equal(0, 0), Equal(2, 0)});
  filter.Add(SCMP_ACT_ALLOW, "prctl", {Equal(0, PR_SET_NAME)});
  filter.Add(SCMP_ACT_ALLOW, "prctl", {Equal(0, PR_GET_NAME)});
#ifdef PR_SET_VMA
  filter.Add(SCMP_ACT_ALLOW, "prctl", {Equal(0, PR_SET_VMA)});
#endif
  // isatty() asks for TCGETS; the answer is no.
  filter.Add(SCMP_ACT_ERRNO(ENOTTY), "ioctl");
}

}  // namespace

base::Status InstallDecoderSyscallFilter() {
  FilterBuilder filter;
  for (const char* name : kAllowed) filter.Add(SCMP_ACT_ALLOW, name);
  for (const char* name : kRefused) filter.Add(SCMP_ACT_ERRNO(EACCES), name);
  AddOpening(filter);
  AddMemory(filter);
  AddProcess(filter);
  return filter.Load();
}

std::string SyscallName(int number) {
  const std::unique_ptr<char, decltype(&std::free)> name(
      seccomp_syscall_resolve_num_arch(SCMP_ARCH_NATIVE, number), &std::free);
  return name == nullptr ? "number " + std::to_string(number) : std::string(name.get());
}

}  // namespace sightline::io
