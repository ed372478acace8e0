// A file system in memory, for tests: fast, empty at the start, and able to lose what was not
// synced.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "io/file_system.h"

namespace sightline::io {

/// Files and directories in memory, paths absolute ("/a/b") or relative to "/". Thread-safe. Locks
/// are between users of the same object. The root exists; nothing else does.
class MemoryFileSystem final : public FileSystem {
 public:
  /// `space_bytes` is what all files together may hold; over it writing is kStorageFull.
  explicit MemoryFileSystem(uint64_t space_bytes = uint64_t{1} << 40);
  ~MemoryFileSystem() override;

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

  /// What a power cut leaves: files go back to what `Sync` made durable, entries of directories to
  /// what `SyncDirectory` did; locks are free. Open files must not be used afterwards.
  void LoseUnsynced();

 private:
  struct State;
  // Open files keep it alive: they may outlive the file system.
  std::shared_ptr<State> state_;
};

}  // namespace sightline::io
