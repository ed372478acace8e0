#include "io/fault_injecting_file_system.h"

#include <cerrno>
#include <limits>
#include <optional>

#include "base/mutex.h"

namespace sightline::io {

using base::MutexLock;

class FaultInjectingFileSystem::Faults {
 public:
  void Plan(uint64_t n, int error_number, bool crash) {
    MutexLock lock(mutex_);
    fail_at_ = count_ + n;
    error_number_ = error_number;
    crash_ = crash;
  }
  void SetSpaceLeft(uint64_t size_bytes) {
    MutexLock lock(mutex_);
    space_left_ = size_bytes;
  }
  void Restart() {
    MutexLock lock(mutex_);
    fail_at_.reset();
    space_left_.reset();
    ++epoch_;
  }
  uint64_t count() const {
    MutexLock lock(mutex_);
    return count_;
  }
  uint64_t epoch() const {
    MutexLock lock(mutex_);
    return epoch_;
  }

  // Counts an operation; the failure that was planned for it. `epoch` is the one in which the file
  // was opened.
  base::Status Next(const std::string& path, uint64_t epoch) {
    MutexLock lock(mutex_);
    const uint64_t now = count_++;
    if (epoch != epoch_) return base::IoError("opened before the crash: " + path, EBADF);
    if (!fail_at_.has_value() || now < *fail_at_) return base::OkStatus();
    if (!crash_) fail_at_.reset();
    const base::Status failure = base::IoError("injected fault at " + path, error_number_);
    return error_number_ == ENOSPC ? base::StorageFull(failure.message()) : failure;
  }
  base::Status Next(const std::string& path) { return Next(path, epoch()); }

  // How much of an append of `size_bytes` fits.
  size_t TakeSpace(size_t size_bytes) {
    MutexLock lock(mutex_);
    if (!space_left_.has_value()) return size_bytes;
    const size_t taken = size_bytes < *space_left_ ? size_bytes : static_cast<size_t>(*space_left_);
    *space_left_ -= taken;
    return taken;
  }

 private:
  mutable base::Mutex mutex_;
  uint64_t count_ SIGHTLINE_GUARDED_BY(mutex_) = 0;
  uint64_t epoch_ SIGHTLINE_GUARDED_BY(mutex_) = 0;
  std::optional<uint64_t> fail_at_ SIGHTLINE_GUARDED_BY(mutex_);
  int error_number_ SIGHTLINE_GUARDED_BY(mutex_) = 0;
  bool crash_ SIGHTLINE_GUARDED_BY(mutex_) = false;
  std::optional<uint64_t> space_left_ SIGHTLINE_GUARDED_BY(mutex_);
};

namespace {

using Faults = FaultInjectingFileSystem::Faults;

class FaultyReadableFile final : public ReadableFile {
 public:
  FaultyReadableFile(std::unique_ptr<ReadableFile> file, std::shared_ptr<Faults> faults)
      : file_(std::move(file)), faults_(std::move(faults)), epoch_(faults_->epoch()) {}
  base::Result<size_t> ReadAt(uint64_t offset, std::span<std::byte> out) const override {
    SIGHTLINE_RETURN_IF_ERROR(faults_->Next(path(), epoch_));
    return file_->ReadAt(offset, out);
  }
  uint64_t size_bytes() const override { return file_->size_bytes(); }
  base::Result<std::unique_ptr<MappedBytes>> Map() const override {
    SIGHTLINE_RETURN_IF_ERROR(faults_->Next(path(), epoch_));
    return file_->Map();
  }
  const std::string& path() const override { return file_->path(); }

 private:
  const std::unique_ptr<ReadableFile> file_;
  const std::shared_ptr<Faults> faults_;
  const uint64_t epoch_;
};

class FaultyWritableFile final : public WritableFile {
 public:
  FaultyWritableFile(std::unique_ptr<WritableFile> file, std::shared_ptr<Faults> faults)
      : file_(std::move(file)), faults_(std::move(faults)), epoch_(faults_->epoch()) {}
  base::Status Append(std::span<const std::byte> data) override {
    SIGHTLINE_RETURN_IF_ERROR(faults_->Next(path(), epoch_));
    const size_t fits = faults_->TakeSpace(data.size());
    SIGHTLINE_RETURN_IF_ERROR(file_->Append(data.first(fits)));
    if (fits == data.size()) return base::OkStatus();
    return base::StorageFull("cannot write " + path() + ": No space left on device");
  }
  base::Status Sync() override {
    SIGHTLINE_RETURN_IF_ERROR(faults_->Next(path(), epoch_));
    return file_->Sync();
  }
  base::Status Close() override {
    SIGHTLINE_RETURN_IF_ERROR(faults_->Next(path(), epoch_));
    return file_->Close();
  }
  uint64_t size_bytes() const override { return file_->size_bytes(); }
  const std::string& path() const override { return file_->path(); }

 private:
  const std::unique_ptr<WritableFile> file_;
  const std::shared_ptr<Faults> faults_;
  const uint64_t epoch_;
};

base::Result<std::unique_ptr<WritableFile>> Wrap(base::Result<std::unique_ptr<WritableFile>> file,
                                                 const std::shared_ptr<Faults>& faults) {
  if (!file.ok()) return file.status();
  return std::unique_ptr<WritableFile>(
      std::make_unique<FaultyWritableFile>(*std::move(file), faults));
}

}  // namespace

FaultInjectingFileSystem::FaultInjectingFileSystem(MemoryFileSystem& target)
    : target_(target), faults_(std::make_shared<Faults>()) {}

FaultInjectingFileSystem::~FaultInjectingFileSystem() = default;

void FaultInjectingFileSystem::FailOperation(uint64_t n, int error_number) {
  faults_->Plan(n, error_number, false);
}

void FaultInjectingFileSystem::CrashAt(uint64_t n) { faults_->Plan(n, EIO, true); }

void FaultInjectingFileSystem::SetSpaceLeft(uint64_t size_bytes) {
  faults_->SetSpaceLeft(size_bytes);
}

void FaultInjectingFileSystem::Crash() {
  target_.LoseUnsynced();
  faults_->Restart();
}

uint64_t FaultInjectingFileSystem::operation_count() const { return faults_->count(); }

base::Result<std::unique_ptr<ReadableFile>> FaultInjectingFileSystem::OpenForRead(
    const std::string& path) {
  SIGHTLINE_RETURN_IF_ERROR(faults_->Next(path));
  SIGHTLINE_ASSIGN_OR_RETURN(auto file, target_.OpenForRead(path));
  return std::unique_ptr<ReadableFile>(
      std::make_unique<FaultyReadableFile>(std::move(file), faults_));
}

base::Result<std::unique_ptr<WritableFile>> FaultInjectingFileSystem::OpenForWrite(
    const std::string& path, WriteMode mode) {
  SIGHTLINE_RETURN_IF_ERROR(faults_->Next(path));
  return Wrap(target_.OpenForWrite(path, mode), faults_);
}

base::Result<std::unique_ptr<WritableFile>> FaultInjectingFileSystem::CreateTemporary(
    const std::string& directory, std::string_view prefix) {
  SIGHTLINE_RETURN_IF_ERROR(faults_->Next(directory));
  return Wrap(target_.CreateTemporary(directory, prefix), faults_);
}

base::Status FaultInjectingFileSystem::Rename(const std::string& from, const std::string& to) {
  SIGHTLINE_RETURN_IF_ERROR(faults_->Next(from));
  return target_.Rename(from, to);
}

base::Status FaultInjectingFileSystem::RemoveFile(const std::string& path) {
  SIGHTLINE_RETURN_IF_ERROR(faults_->Next(path));
  return target_.RemoveFile(path);
}

base::Status FaultInjectingFileSystem::RemoveTree(const std::string& path) {
  SIGHTLINE_RETURN_IF_ERROR(faults_->Next(path));
  return target_.RemoveTree(path);
}

base::Status FaultInjectingFileSystem::CreateDirectories(const std::string& path) {
  SIGHTLINE_RETURN_IF_ERROR(faults_->Next(path));
  return target_.CreateDirectories(path);
}

base::Status FaultInjectingFileSystem::SyncDirectory(const std::string& path) {
  SIGHTLINE_RETURN_IF_ERROR(faults_->Next(path));
  return target_.SyncDirectory(path);
}

base::Result<std::vector<std::string>> FaultInjectingFileSystem::List(const std::string& path) {
  SIGHTLINE_RETURN_IF_ERROR(faults_->Next(path));
  return target_.List(path);
}

base::Result<FileInfo> FaultInjectingFileSystem::Stat(const std::string& path) {
  SIGHTLINE_RETURN_IF_ERROR(faults_->Next(path));
  return target_.Stat(path);
}

base::Result<std::unique_ptr<FileLock>> FaultInjectingFileSystem::Lock(const std::string& path) {
  SIGHTLINE_RETURN_IF_ERROR(faults_->Next(path));
  return target_.Lock(path);
}

base::Result<SpaceInfo> FaultInjectingFileSystem::Space(const std::string& path) {
  SIGHTLINE_RETURN_IF_ERROR(faults_->Next(path));
  return target_.Space(path);
}

}  // namespace sightline::io
