#include "io/landlock.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <cerrno>
#include <cstdint>

#include "base/status.h"

namespace sightline::io {
namespace {

// The kernel's interface, written out: headers of Debian 12 know less of it than its kernels may.
constexpr long kSysCreateRuleset = 444;
constexpr long kSysAddRule = 445;
constexpr long kSysRestrictSelf = 446;
constexpr uint32_t kCreateRulesetVersion = 1;
constexpr int kRulePathBeneath = 1;
constexpr uint64_t kReadFile = 1U << 2;
constexpr uint64_t kReadDir = 1U << 3;

struct RulesetAttr {
  uint64_t handled_access_fs;
  uint64_t handled_access_net;  // ABI 4
  uint64_t scoped;              // ABI 6
};

struct [[gnu::packed]] PathBeneathAttr {
  uint64_t allowed_access;
  int32_t parent_fd;
};

// Every right that an ABI knows: 13 in the first, REFER in 2, TRUNCATE in 3, IOCTL_DEV in 5.
uint64_t AllFileRights(int abi) {
  uint64_t rights = (1U << 13) - 1;
  if (abi >= 2) rights |= 1U << 13;
  if (abi >= 3) rights |= 1U << 14;
  if (abi >= 5) rights |= 1U << 15;
  return rights;
}

base::Status AllowReading(int ruleset, const std::string& path) {
  const int fd = open(path.c_str(), O_PATH | O_CLOEXEC);
  if (fd < 0) {
    if (errno == ENOENT || errno == EACCES || errno == ENOTDIR) return base::OkStatus();
    return base::IoError("sandbox: cannot open " + path, errno);
  }
  struct stat info {};
  const bool directory = fstat(fd, &info) == 0 && S_ISDIR(info.st_mode);
  const PathBeneathAttr rule{directory ? kReadFile | kReadDir : kReadFile, fd};
  const long added = syscall(kSysAddRule, ruleset, kRulePathBeneath, &rule, 0);
  const int error = errno;
  close(fd);
  if (added != 0) return base::IoError("sandbox: cannot allow reading " + path, error);
  return base::OkStatus();
}

}  // namespace

base::Result<int> RestrictToReading(std::span<const std::string> readable_paths) {
  const long abi = syscall(kSysCreateRuleset, nullptr, 0, kCreateRulesetVersion);
  if (abi < 1) return 0;
  RulesetAttr attr{AllFileRights(static_cast<int>(abi)), 0, 0};
  size_t attr_bytes = sizeof(uint64_t);
  if (abi >= 4) {
    attr.handled_access_net = 3;  // bind and connect of TCP
    attr_bytes = 2 * sizeof(uint64_t);
  }
  if (abi >= 6) {
    attr.scoped = 3;  // abstract Unix sockets and signals
    attr_bytes = sizeof(attr);
  }
  const long ruleset = syscall(kSysCreateRuleset, &attr, attr_bytes, 0);
  if (ruleset < 0) return base::IoError("sandbox: cannot make a Landlock ruleset", errno);
  base::Status status;
  for (const std::string& path : readable_paths) {
    status = AllowReading(static_cast<int>(ruleset), path);
    if (!status.ok()) break;
  }
  if (status.ok() && syscall(kSysRestrictSelf, ruleset, 0) != 0) {
    status = base::IoError("sandbox: cannot enforce Landlock", errno);
  }
  close(static_cast<int>(ruleset));
  if (!status.ok()) return status;
  return static_cast<int>(abi);
}

}  // namespace sightline::io
