// A file system that writes no faster than it is told, for work in the background.
#pragma once

#include <chrono>
#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "io/file_system.h"

namespace sightline::io {

class WritePace;

/// Everything goes to another file system; what is appended to files waits so that it does not
/// exceed a number of bytes a second, over all files opened here. Thread-safe.
class PacedFileSystem final : public FileSystem {
 public:
  using Sleep = std::function<void(std::chrono::nanoseconds)>;

  /// `files` must live longer. 0 bytes a second: no bound. `sleep`: how to wait, for tests.
  PacedFileSystem(FileSystem& files, uint64_t bytes_per_second, Sleep sleep = {});
  ~PacedFileSystem() override;

  base::Result<std::unique_ptr<ReadableFile>> OpenForRead(const std::string& path) override;
  base::Result<std::unique_ptr<WritableFile>> OpenForWrite(const std::string& path,
                                                           WriteMode mode) override;
  base::Result<std::unique_ptr<WritableFile>> CreateTemporary(const std::string& directory,
                                                              std::string_view prefix) override;
  base::Status Rename(const std::string& from, const std::string& to) override;
  base::Status RemoveFile(const std::string& path) override;
  base::Status RemoveTree(const std::string& path) override;
  base::Status CreateDirectories(const std::string& path) override;
  base::Status SyncDirectory(const std::string& path) override;
  base::Result<std::vector<std::string>> List(const std::string& path) override;
  base::Result<FileInfo> Stat(const std::string& path) override;
  base::Result<std::unique_ptr<FileLock>> Lock(const std::string& path) override;
  base::Result<SpaceInfo> Space(const std::string& path) override;

 private:
  FileSystem& files_;
  const std::shared_ptr<WritePace> pace_;
};

}  // namespace sightline::io
