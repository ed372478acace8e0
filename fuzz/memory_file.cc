#include "fuzz/memory_file.h"

#include <fcntl.h>
#include <sys/mman.h>
#include <unistd.h>

#include "base/check.h"

namespace sightline::fuzz {

MemoryFile::MemoryFile(std::string_view content) : fd_(memfd_create("fuzz", MFD_CLOEXEC)) {
  CHECK(fd_.get() >= 0, "memfd_create failed");
  while (!content.empty()) {
    const ssize_t put = write(fd_.get(), content.data(), content.size());
    CHECK(put > 0, "a file in memory cannot be written");
    content.remove_prefix(static_cast<std::size_t>(put));
  }
  path_ = "/proc/self/fd/" + std::to_string(fd_.get());
}

io::UniqueFd MemoryFile::OpenAgain() const {
  io::UniqueFd opened(open(path_.c_str(), O_RDONLY | O_CLOEXEC));
  CHECK(opened.valid(), path_);
  return opened;
}

}  // namespace sightline::fuzz
