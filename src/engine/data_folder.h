// The data folder and its lock: one process owns it at a time.
#pragma once

#include <memory>
#include <string>

#include "base/result.h"
#include "io/file_system.h"

namespace sightline::engine {

/// Whether another process holds the folder.
bool IsHeld(io::FileSystem& files, const std::string& path);

/// A locked data folder. The lock ends with this object.
class DataFolder {
 public:
  /// Makes the folder when it is missing, and empties its folder for temporary files. Held by
  /// another process, or not a folder at all: `kFailedPrecondition`.
  static base::Result<DataFolder> Lock(io::FileSystem& files, const std::string& path);

  const std::string& path() const { return path_; }
  /// Writes the server's URL where `LockHolder` finds it.
  base::Status WriteUrl(std::string_view url) { return lock_->WriteContent(url); }

 private:
  DataFolder(std::string path, std::unique_ptr<io::FileLock> lock)
      : path_(std::move(path)), lock_(std::move(lock)) {}

  std::string path_;
  std::unique_ptr<io::FileLock> lock_;
};

}  // namespace sightline::engine
