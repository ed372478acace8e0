// The one file that a decoder may read, behind a descriptor.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>

#include "base/result.h"

namespace sightline::media {

/// Positioned reads of the input. Does not own the descriptor. Not thread-safe.
class InputFile {
 public:
  /// `fd` must be open for reading and be a regular file; kIo or kInvalidArgument otherwise.
  static base::Result<InputFile> FromDescriptor(int fd);

  /// Size when it was opened.
  std::int64_t size_bytes() const { return size_bytes_; }

  /// Reads up to `out.size()` bytes at `offset`; fewer only at the end of the file.
  base::Result<std::size_t> ReadAt(std::int64_t offset, std::span<std::uint8_t> out) const;

  /// The first `max_bytes` of the file, or all of it when it is shorter.
  base::Result<std::string> ReadPrefix(std::size_t max_bytes) const;

 private:
  InputFile(int fd, std::int64_t size_bytes) : fd_(fd), size_bytes_(size_bytes) {}

  int fd_;
  std::int64_t size_bytes_;
};

}  // namespace sightline::media
