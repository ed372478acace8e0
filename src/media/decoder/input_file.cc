#include "media/decoder/input_file.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>

namespace sightline::media {

base::Result<InputFile> InputFile::FromDescriptor(int fd) {
  struct stat info = {};
  if (fstat(fd, &info) != 0) return base::IoError("cannot look at the input file", errno);
  if (!S_ISREG(info.st_mode)) return base::InvalidArgument("not a regular file");
  return InputFile(fd, info.st_size);
}

base::Result<std::size_t> InputFile::ReadAt(std::int64_t offset,
                                            std::span<std::uint8_t> out) const {
  if (offset < 0) return base::InvalidArgument("read before the start of the file");
  std::size_t done = 0;
  while (done < out.size()) {
    const ssize_t got = pread(fd_, out.data() + done, out.size() - done,
                              static_cast<off_t>(offset) + static_cast<off_t>(done));
    if (got < 0 && errno == EINTR) continue;
    if (got < 0) return base::IoError("cannot read the input file", errno);
    if (got == 0) break;
    done += static_cast<std::size_t>(got);
  }
  return done;
}

base::Result<std::string> InputFile::ReadPrefix(std::size_t max_bytes) const {
  const auto wanted = static_cast<std::size_t>(
      std::min<std::int64_t>(size_bytes_, static_cast<std::int64_t>(max_bytes)));
  std::string bytes(wanted, '\0');
  SIGHTLINE_ASSIGN_OR_RETURN(
      const std::size_t got,
      ReadAt(0, {reinterpret_cast<std::uint8_t*>(bytes.data()), bytes.size()}));
  bytes.resize(got);
  return bytes;
}

}  // namespace sightline::media
