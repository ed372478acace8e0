// The file system of the machine.
#include <dirent.h>
#include <fcntl.h>
#include <sys/file.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/statvfs.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <filesystem>
#include <memory>

#include "io/file_system.h"
#include "io/unique_fd.h"

namespace sightline::io {
namespace {

/// The Status of a failed call on `path`, by what the caller can do about it.
base::Status Failure(const std::string& what, const std::string& path, int error) {
  const base::Status status = base::IoError(what + " " + path, error);
  switch (error) {
    case ENOENT:
    case ENOTDIR:
      return base::NotFound(status.message());
    case EEXIST:
    case ENOTEMPTY:
      return base::AlreadyExists(status.message());
    case EACCES:
    case EPERM:
    case EROFS:
      return base::PermissionDenied(status.message());
    case EISDIR:
    case EINVAL:
    case ENAMETOOLONG:
    case ELOOP:
      return base::InvalidArgument(status.message());
    case ENOSPC:
    case EDQUOT:
      return base::StorageFull(status.message());
    case EMFILE:
    case ENFILE:
      return base::ResourceExhausted(status.message());
    default:
      return status;
  }
}

class PosixMappedBytes final : public MappedBytes {
 public:
  PosixMappedBytes(void* data, size_t size_bytes) : data_(data), size_bytes_(size_bytes) {}
  ~PosixMappedBytes() override {
    if (size_bytes_ > 0) munmap(data_, size_bytes_);
  }
  std::span<const std::byte> bytes() const override {
    return {static_cast<const std::byte*>(data_), size_bytes_};
  }
  void ExpectRandomReads() const override { Advise(0, size_bytes_, MADV_RANDOM); }
  void WillNeed(uint64_t offset, uint64_t size_bytes) const override {
    Advise(offset, size_bytes, MADV_WILLNEED);
  }
  void Forget(uint64_t offset, uint64_t size_bytes) const override {
    Advise(offset, size_bytes, MADV_DONTNEED);
  }

 private:
  // Advice only: what the system says of it changes nothing.
  void Advise(uint64_t offset, uint64_t size_bytes, int advice) const {
    static const auto page = static_cast<uint64_t>(sysconf(_SC_PAGESIZE));
    const uint64_t first = offset / page * page;
    const uint64_t end = std::min<uint64_t>(offset + size_bytes, size_bytes_);
    if (first < end) madvise(static_cast<std::byte*>(data_) + first, end - first, advice);
  }

  void* data_;
  size_t size_bytes_;
};

class PosixReadableFile final : public ReadableFile {
 public:
  PosixReadableFile(UniqueFd fd, uint64_t size_bytes, std::string path)
      : fd_(std::move(fd)), size_bytes_(size_bytes), path_(std::move(path)) {}

  base::Result<size_t> ReadAt(uint64_t offset, std::span<std::byte> out) const override {
    size_t done = 0;
    while (done < out.size()) {
      const ssize_t got =
          pread(fd_.get(), out.data() + done, out.size() - done, static_cast<off_t>(offset + done));
      if (got < 0 && errno == EINTR) continue;
      if (got < 0) return Failure("cannot read", path_, errno);
      if (got == 0) break;
      done += static_cast<size_t>(got);
    }
    return done;
  }

  uint64_t size_bytes() const override { return size_bytes_; }

  base::Result<std::unique_ptr<MappedBytes>> Map() const override {
    if (size_bytes_ == 0) return Mapped(nullptr, 0);
    void* data = mmap(nullptr, size_bytes_, PROT_READ, MAP_SHARED, fd_.get(), 0);
    if (data == MAP_FAILED) return Failure("cannot map", path_, errno);
    return Mapped(data, size_bytes_);
  }

  const std::string& path() const override { return path_; }

 private:
  static std::unique_ptr<MappedBytes> Mapped(void* data, size_t size_bytes) {
    return std::make_unique<PosixMappedBytes>(data, size_bytes);
  }

  UniqueFd fd_;
  uint64_t size_bytes_;
  std::string path_;
};

class PosixWritableFile final : public WritableFile {
 public:
  PosixWritableFile(UniqueFd fd, uint64_t size_bytes, std::string path)
      : fd_(std::move(fd)), size_bytes_(size_bytes), path_(std::move(path)) {}

  base::Status Append(std::span<const std::byte> data) override {
    while (!data.empty()) {
      const ssize_t put = write(fd_.get(), data.data(), data.size());
      if (put < 0 && errno == EINTR) continue;
      if (put < 0) return Failure("cannot write", path_, errno);
      size_bytes_ += static_cast<uint64_t>(put);
      data = data.subspan(static_cast<size_t>(put));
    }
    return base::OkStatus();
  }

  base::Status Sync() override {
    if (fsync(fd_.get()) == 0) return base::OkStatus();
    return Failure("cannot sync", path_, errno);
  }

  base::Status Close() override {
    // Linux has closed it whatever close says, EINTR included.
    if (close(fd_.Release()) == 0 || errno == EINTR) return base::OkStatus();
    return Failure("cannot close", path_, errno);
  }

  uint64_t size_bytes() const override { return size_bytes_; }
  const std::string& path() const override { return path_; }

 private:
  UniqueFd fd_;
  uint64_t size_bytes_;
  std::string path_;
};

class PosixFileLock final : public FileLock {
 public:
  PosixFileLock(UniqueFd fd, std::string path) : fd_(std::move(fd)), path_(std::move(path)) {}

  base::Status WriteContent(std::string_view content) override {
    if (ftruncate(fd_.get(), 0) != 0) return Failure("cannot write", path_, errno);
    const ssize_t put = pwrite(fd_.get(), content.data(), content.size(), 0);
    if (put == static_cast<ssize_t>(content.size())) return base::OkStatus();
    return put < 0 ? Failure("cannot write", path_, errno)
                   : base::IoError("cannot write all of " + path_);
  }

 private:
  UniqueFd fd_;
  std::string path_;
};

class PosixFileSystemImpl final : public FileSystem {
 public:
  base::Result<std::unique_ptr<ReadableFile>> OpenForRead(const std::string& path) override {
    UniqueFd fd(open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NOCTTY));
    if (!fd.valid()) return Failure("cannot open", path, errno);
    struct stat info {};
    if (fstat(fd.get(), &info) != 0) return Failure("cannot look at", path, errno);
    if (S_ISDIR(info.st_mode)) return Failure("cannot open", path, EISDIR);
    return std::unique_ptr<ReadableFile>(std::make_unique<PosixReadableFile>(
        std::move(fd), static_cast<uint64_t>(info.st_size), path));
  }

  base::Result<std::unique_ptr<WritableFile>> OpenForWrite(const std::string& path,
                                                           WriteMode mode) override {
    int flags = O_WRONLY | O_CREAT | O_CLOEXEC | O_APPEND;
    if (mode == WriteMode::kCreateNew) flags |= O_EXCL;
    if (mode == WriteMode::kTruncate) flags |= O_TRUNC;
    UniqueFd fd(open(path.c_str(), flags, 0644));
    if (!fd.valid()) return Failure("cannot open for writing", path, errno);
    struct stat info {};
    if (fstat(fd.get(), &info) != 0) return Failure("cannot look at", path, errno);
    return std::unique_ptr<WritableFile>(std::make_unique<PosixWritableFile>(
        std::move(fd), static_cast<uint64_t>(info.st_size), path));
  }

  base::Result<std::unique_ptr<WritableFile>> CreateTemporary(const std::string& directory,
                                                              std::string_view prefix) override {
    std::string path = JoinPath(directory, std::string(prefix) + "XXXXXX");
    UniqueFd fd(mkostemp(path.data(), O_CLOEXEC | O_APPEND));
    if (!fd.valid()) return Failure("cannot make a temporary file in", directory, errno);
    // mkostemp leaves 0600; what is renamed into place is as readable as other files.
    if (fchmod(fd.get(), 0644) != 0) return Failure("cannot set the mode of", path, errno);
    return std::unique_ptr<WritableFile>(
        std::make_unique<PosixWritableFile>(std::move(fd), 0, std::move(path)));
  }

  base::Status Rename(const std::string& from, const std::string& to) override {
    if (rename(from.c_str(), to.c_str()) == 0) return base::OkStatus();
    return Failure("cannot rename " + from + " to", to, errno);
  }

  base::Status RemoveFile(const std::string& path) override {
    if (unlink(path.c_str()) == 0) return base::OkStatus();
    return Failure("cannot remove", path, errno);
  }

  base::Status RemoveTree(const std::string& path) override {
    std::error_code error;
    std::filesystem::remove_all(path, error);
    return error ? Failure("cannot remove", path, error.value()) : base::OkStatus();
  }

  base::Status CreateDirectories(const std::string& path) override {
    std::error_code error;
    std::filesystem::create_directories(path, error);
    if (error) return Failure("cannot make the directory", path, error.value());
    return std::filesystem::is_directory(path, error)
               ? base::OkStatus()
               : base::AlreadyExists("there is a file, not a directory: " + path);
  }

  base::Status SyncDirectory(const std::string& path) override {
    const UniqueFd fd(open(path.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC));
    if (!fd.valid()) return Failure("cannot open the directory", path, errno);
    if (fsync(fd.get()) == 0) return base::OkStatus();
    return Failure("cannot sync the directory", path, errno);
  }

  base::Result<std::vector<std::string>> List(const std::string& path) override {
    const std::unique_ptr<DIR, int (*)(DIR*)> directory(opendir(path.c_str()), &closedir);
    if (directory == nullptr) return Failure("cannot list", path, errno);
    std::vector<std::string> names;
    for (;;) {
      errno = 0;
      const dirent* entry = readdir(directory.get());
      if (entry == nullptr && errno != 0) return Failure("cannot list", path, errno);
      if (entry == nullptr) break;
      const std::string_view name = entry->d_name;
      if (name != "." && name != "..") names.emplace_back(name);
    }
    std::sort(names.begin(), names.end());
    return names;
  }

  base::Result<FileInfo> Stat(const std::string& path) override {
    struct stat info {};
    if (stat(path.c_str(), &info) != 0) return Failure("cannot look at", path, errno);
    FileInfo out;
    out.kind = S_ISREG(info.st_mode)   ? FileInfo::Kind::kFile
               : S_ISDIR(info.st_mode) ? FileInfo::Kind::kDirectory
                                       : FileInfo::Kind::kOther;
    out.size_bytes = static_cast<uint64_t>(info.st_size);
    out.modified = std::chrono::system_clock::time_point(
        std::chrono::seconds(info.st_mtim.tv_sec) + std::chrono::nanoseconds(info.st_mtim.tv_nsec));
    return out;
  }

  base::Result<std::unique_ptr<FileLock>> Lock(const std::string& path) override {
    UniqueFd fd(open(path.c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0644));
    if (!fd.valid()) return Failure("cannot open the lock file", path, errno);
    if (flock(fd.get(), LOCK_EX | LOCK_NB) != 0) {
      if (errno == EWOULDBLOCK) return base::FailedPrecondition("it is locked already: " + path);
      return Failure("cannot lock", path, errno);
    }
    return std::unique_ptr<FileLock>(std::make_unique<PosixFileLock>(std::move(fd), path));
  }

  base::Result<SpaceInfo> Space(const std::string& path) override {
    struct statvfs info {};
    if (statvfs(path.c_str(), &info) != 0)
      return Failure("cannot see the free space of", path, errno);
    return SpaceInfo{info.f_bavail * info.f_frsize, info.f_blocks * info.f_frsize};
  }
};

}  // namespace

FileSystem& PosixFileSystem() {
  static PosixFileSystemImpl file_system;
  return file_system;
}

}  // namespace sightline::io
