// A file system that fails when it is told to: the n-th operation, a full disk, a power cut.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "io/file_system.h"
#include "io/memory_file_system.h"

namespace sightline::io {

/// Wraps a MemoryFileSystem, which must live longer. Every call counts as one operation: those of
/// the file system and those of its open files (reads, maps, appends, syncs, closes). Thread-safe.
///
/// To try a crash at every step: run once, read `operation_count`, then for each n run with
/// `FailOperation(n, EIO)` or `CrashAt(n)`, and look at what is left.
class FaultInjectingFileSystem final : public FileSystem {
 public:
  explicit FaultInjectingFileSystem(MemoryFileSystem& target);
  ~FaultInjectingFileSystem() override;

  /// The operation after `n` others from now fails with this errno, once; 0 is the next one.
  void FailOperation(uint64_t n, int error_number);
  /// Like FailOperation, and everything after it fails as well, until `Crash`.
  void CrashAt(uint64_t n);
  /// Appends fail with ENOSPC once this many bytes more were written.
  void SetSpaceLeft(uint64_t size_bytes);
  /// A power cut and a restart: what was not synced is gone, files that were open fail from now on,
  /// no fault is planned any more.
  void Crash();
  /// Operations since construction.
  uint64_t operation_count() const;

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

  /// The planned faults, shared with open files.
  class Faults;

 private:
  MemoryFileSystem& target_;
  const std::shared_ptr<Faults> faults_;
};

}  // namespace sightline::io
