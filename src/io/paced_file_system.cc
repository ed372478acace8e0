#include "io/paced_file_system.h"

#include <thread>
#include <utility>

#include "base/mutex.h"

namespace sightline::io {

using base::Result;
using base::Status;

/// Waits in proportion to what was written.
class WritePace {
 public:
  WritePace(uint64_t bytes_per_second, PacedFileSystem::Sleep sleep)
      : bytes_per_second_(bytes_per_second), sleep_(std::move(sleep)) {}

  void Wrote(uint64_t size_bytes) {
    if (bytes_per_second_ == 0) return;
    const base::MutexLock lock(mutex_);
    const double seconds = static_cast<double>(size_bytes) / static_cast<double>(bytes_per_second_);
    sleep_(std::chrono::duration_cast<std::chrono::nanoseconds>(
        std::chrono::duration<double>(seconds)));
  }

 private:
  const uint64_t bytes_per_second_;
  const PacedFileSystem::Sleep sleep_;
  base::Mutex mutex_;  // One writer waits at a time: the bound is that of all together.
};

namespace {

class PacedFile final : public WritableFile {
 public:
  PacedFile(std::unique_ptr<WritableFile> file, std::shared_ptr<WritePace> pace)
      : file_(std::move(file)), pace_(std::move(pace)) {}

  Status Append(std::span<const std::byte> data) override {
    SIGHTLINE_RETURN_IF_ERROR(file_->Append(data));
    pace_->Wrote(data.size());
    return base::OkStatus();
  }
  Status Sync() override { return file_->Sync(); }
  Status Close() override { return file_->Close(); }
  uint64_t size_bytes() const override { return file_->size_bytes(); }
  const std::string& path() const override { return file_->path(); }

 private:
  const std::unique_ptr<WritableFile> file_;
  const std::shared_ptr<WritePace> pace_;
};

Result<std::unique_ptr<WritableFile>> Paced(Result<std::unique_ptr<WritableFile>> file,
                                            const std::shared_ptr<WritePace>& pace) {
  if (!file.ok()) return file;
  return std::unique_ptr<WritableFile>(std::make_unique<PacedFile>(*std::move(file), pace));
}

}  // namespace

PacedFileSystem::PacedFileSystem(FileSystem& files, uint64_t bytes_per_second, Sleep sleep)
    : files_(files),
      pace_(std::make_shared<WritePace>(
          bytes_per_second, sleep ? std::move(sleep) : [](std::chrono::nanoseconds time) {
            std::this_thread::sleep_for(time);
          })) {}

PacedFileSystem::~PacedFileSystem() = default;

Result<std::unique_ptr<ReadableFile>> PacedFileSystem::OpenForRead(const std::string& path) {
  return files_.OpenForRead(path);
}

Result<std::unique_ptr<WritableFile>> PacedFileSystem::OpenForWrite(const std::string& path,
                                                                    WriteMode mode) {
  return Paced(files_.OpenForWrite(path, mode), pace_);
}

Result<std::unique_ptr<WritableFile>> PacedFileSystem::CreateTemporary(const std::string& directory,
                                                                       std::string_view prefix) {
  return Paced(files_.CreateTemporary(directory, prefix), pace_);
}

Status PacedFileSystem::Rename(const std::string& from, const std::string& to) {
  return files_.Rename(from, to);
}

Status PacedFileSystem::RemoveFile(const std::string& path) { return files_.RemoveFile(path); }

Status PacedFileSystem::RemoveTree(const std::string& path) { return files_.RemoveTree(path); }

Status PacedFileSystem::CreateDirectories(const std::string& path) {
  return files_.CreateDirectories(path);
}

Status PacedFileSystem::SyncDirectory(const std::string& path) {
  return files_.SyncDirectory(path);
}

Result<std::vector<std::string>> PacedFileSystem::List(const std::string& path) {
  return files_.List(path);
}

Result<FileInfo> PacedFileSystem::Stat(const std::string& path) { return files_.Stat(path); }

Result<std::unique_ptr<FileLock>> PacedFileSystem::Lock(const std::string& path) {
  return files_.Lock(path);
}

Result<SpaceInfo> PacedFileSystem::Space(const std::string& path) { return files_.Space(path); }

}  // namespace sightline::io
