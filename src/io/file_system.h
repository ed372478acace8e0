// The file system seam: everything that is stored goes through `FileSystem`, so that tests can run
// it in memory, fail any operation and drop what was not synced.
//
// Paths are UTF-8. Every implementation is thread-safe; one open file is used by one writer, or by
// any number of readers. Durable means: file synced, then its directory synced.
#pragma once

#include <chrono>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "base/status.h"

namespace sightline::io {

/// Bytes of a file in memory, read-only, valid as long as this lives (also after the file is
/// removed).
class MappedBytes {
 public:
  virtual ~MappedBytes() = default;
  virtual std::span<const std::byte> bytes() const = 0;
  /// Says that bytes are read here and there: the system reads what is touched, and nothing around
  /// it, until it is told what comes next.
  virtual void ExpectRandomReads() const;
  /// Begins to read these bytes from the disk, where there is one; returns at once.
  virtual void WillNeed(uint64_t offset, uint64_t size_bytes) const;
  /// Takes these bytes out of this process's memory, where the system can; they are read again when
  /// they are touched again.
  virtual void Forget(uint64_t offset, uint64_t size_bytes) const;
};

/// A file open for reading at any offset. Thread-safe.
class ReadableFile {
 public:
  virtual ~ReadableFile() = default;
  /// Up to `out.size()` bytes from `offset`; fewer only at the end of the file.
  virtual base::Result<size_t> ReadAt(uint64_t offset, std::span<std::byte> out) const = 0;
  /// Exactly `out.size()` bytes from `offset`; kDataLoss when the file ends before.
  base::Status ReadExactlyAt(uint64_t offset, std::span<std::byte> out) const;
  /// The size when it was opened; files that are read do not change.
  virtual uint64_t size_bytes() const = 0;
  /// The whole file, mapped read-only where the system can.
  virtual base::Result<std::unique_ptr<MappedBytes>> Map() const = 0;
  virtual const std::string& path() const = 0;
};

/// A file open for appending. Not thread-safe. Closing without `Sync` promises nothing.
class WritableFile {
 public:
  /// Closes; what was not synced may be lost.
  virtual ~WritableFile() = default;
  /// Appends all of `data`. After a failure the file's content is unspecified: remove it.
  /// kStorageFull when the disk or the quota is used up.
  virtual base::Status Append(std::span<const std::byte> data) = 0;
  /// Appends all of `data`.
  base::Status Append(std::string_view data);
  /// Makes the content durable (fsync). After a failure stop writing: never retry it.
  virtual base::Status Sync() = 0;
  /// Closes and reports what `close` reports. Nothing else may be called afterwards.
  virtual base::Status Close() = 0;
  /// Bytes in the file, those from before `kAppend` included.
  virtual uint64_t size_bytes() const = 0;
  virtual const std::string& path() const = 0;
};

/// An exclusive lock on a file, held until destroyed or until the process ends.
class FileLock {
 public:
  virtual ~FileLock() = default;
  /// Replaces the content of the lock file, for whoever finds it locked (for example a server's
  /// URL).
  virtual base::Status WriteContent(std::string_view content) = 0;
};

/// What to do with what is there.
enum class WriteMode {
  kCreateNew,  ///< kAlreadyExists when there is something
  kTruncate,   ///< start empty
  kAppend,     ///< go on at the end
};

/// What is at a path.
struct FileInfo {
  /// What sort of thing it is.
  enum class Kind { kFile, kDirectory, kOther };
  Kind kind = Kind::kFile;
  uint64_t size_bytes = 0;
  std::chrono::system_clock::time_point modified;
};

/// Room on the file system that holds a path.
struct SpaceInfo {
  uint64_t available_bytes = 0;
  uint64_t total_bytes = 0;
};

/// The operations on files that Sightline uses. Errors name the operation and the path.
class FileSystem {
 public:
  virtual ~FileSystem() = default;

  /// kNotFound, kPermissionDenied; a directory is kInvalidArgument.
  virtual base::Result<std::unique_ptr<ReadableFile>> OpenForRead(const std::string& path) = 0;
  virtual base::Result<std::unique_ptr<WritableFile>> OpenForWrite(const std::string& path,
                                                                   WriteMode mode) = 0;
  /// A new empty file `directory/prefixXXXXXX` with a name that nothing had.
  virtual base::Result<std::unique_ptr<WritableFile>> CreateTemporary(const std::string& directory,
                                                                      std::string_view prefix) = 0;
  /// Atomic; replaces a file at `to`.
  virtual base::Status Rename(const std::string& from, const std::string& to) = 0;
  virtual base::Status RemoveFile(const std::string& path) = 0;
  /// Removes a directory with all that is in it; ok when there is none. Links are not followed.
  virtual base::Status RemoveTree(const std::string& path) = 0;
  /// Makes a directory and those above it; ok when they exist.
  virtual base::Status CreateDirectories(const std::string& path) = 0;
  /// Makes entries of a directory durable (creations, renames, removals).
  virtual base::Status SyncDirectory(const std::string& path) = 0;
  /// Names in a directory, sorted by bytes, without "." and "..".
  virtual base::Result<std::vector<std::string>> List(const std::string& path) = 0;
  /// What is at `path` (links followed), or kNotFound.
  virtual base::Result<FileInfo> Stat(const std::string& path) = 0;
  /// Locks `path` (made if missing) without waiting. kFailedPrecondition when another process or
  /// another lock of this one holds it; read the file to learn who.
  virtual base::Result<std::unique_ptr<FileLock>> Lock(const std::string& path) = 0;
  virtual base::Result<SpaceInfo> Space(const std::string& path) = 0;

  /// Whether there is something at `path`. Errors other than kNotFound are passed on.
  base::Result<bool> Exists(const std::string& path);
  /// The whole file, when it has at most `max_bytes`; otherwise kResourceExhausted, unread.
  base::Result<std::string> ReadFile(const std::string& path, uint64_t max_bytes);
  /// Writes `content` durably and atomically: temporary file, sync, rename, sync of the directory.
  base::Status WriteFileAtomically(const std::string& path, std::string_view content);
};

/// The file system of the machine. Lives as long as the process.
FileSystem& PosixFileSystem();

/// `directory/name`, without doubling the separator.
std::string JoinPath(std::string_view directory, std::string_view name);
/// The directory part of a path: "." when there is none.
std::string ParentPath(std::string_view path);

}  // namespace sightline::io
