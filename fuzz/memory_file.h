// A file in memory that has a path, for readers that open files themselves.
#pragma once

#include <string>
#include <string_view>

#include "io/unique_fd.h"

namespace sightline::fuzz {

/// Bytes behind a path below /proc; gone with the object.
class MemoryFile {
 public:
  /// CHECKs that the machine makes one.
  explicit MemoryFile(std::string_view content);

  /// Where this process finds it.
  const std::string& path() const { return path_; }
  /// A descriptor at its beginning; CHECKs that there is one.
  io::UniqueFd OpenAgain() const;

 private:
  io::UniqueFd fd_;
  std::string path_;
};

}  // namespace sightline::fuzz
