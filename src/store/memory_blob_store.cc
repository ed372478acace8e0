#include <unistd.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <utility>

#include "base/digest.h"
#include "store/memory_store.h"

namespace sightline::store {
namespace {

using base::OkStatus;
using base::Result;
using base::Status;

class MemoryBlobWriter final : public BlobWriter {
 public:
  explicit MemoryBlobWriter(MemoryBlobStore& store) : store_(store) {}
  Status Append(std::string_view bytes) override {
    bytes_ += bytes;
    return OkStatus();
  }
  std::int64_t size_bytes() const override { return static_cast<std::int64_t>(bytes_.size()); }
  Result<std::string> Commit() override { return store_.Put(bytes_); }

 private:
  MemoryBlobStore& store_;
  std::string bytes_;
};

Status NoBlob(std::string_view sha256) {
  return base::NotFound("no such blob: " + std::string(sha256));
}

}  // namespace

MemoryBlobStore::~MemoryBlobStore() {
  std::error_code ignored;  // A temporary file that is gone already is as good.
  for (const std::string& path : paths_) std::filesystem::remove(path, ignored);
}

Result<std::unique_ptr<BlobWriter>> MemoryBlobStore::NewWriter() {
  return std::unique_ptr<BlobWriter>(std::make_unique<MemoryBlobWriter>(*this));
}

Result<std::string> MemoryBlobStore::Put(std::string_view bytes) {
  std::string sha256 = base::Sha256Hex(bytes);
  const base::MutexLock lock(mutex_);
  blobs_.try_emplace(sha256, bytes);
  return sha256;
}

Result<std::int64_t> MemoryBlobStore::Size(std::string_view sha256) {
  const base::MutexLock lock(mutex_);
  const auto it = blobs_.find(sha256);
  if (it == blobs_.end()) return NoBlob(sha256);
  return static_cast<std::int64_t>(it->second.size());
}

Result<std::string> MemoryBlobStore::Read(std::string_view sha256, std::int64_t offset,
                                          std::int64_t length) {
  const base::MutexLock lock(mutex_);
  const auto it = blobs_.find(sha256);
  if (it == blobs_.end()) return NoBlob(sha256);
  if (offset < 0 || length < 0 || offset > static_cast<std::int64_t>(it->second.size())) {
    return base::InvalidArgument("outside of the blob: " + std::string(sha256));
  }
  return it->second.substr(static_cast<std::size_t>(offset), static_cast<std::size_t>(length));
}

Result<std::string> MemoryBlobStore::LocalPath(std::string_view sha256) {
  SIGHTLINE_ASSIGN_OR_RETURN(const std::int64_t size, Size(sha256));
  SIGHTLINE_ASSIGN_OR_RETURN(const std::string bytes, Read(sha256, 0, size));
  std::string path = (std::filesystem::temp_directory_path() / "sightline-blob-XXXXXX").string();
  const int fd = mkstemp(path.data());
  if (fd < 0) return base::IoError("cannot make a temporary file: " + path, errno);
  std::size_t written = 0;
  while (written < bytes.size()) {
    const ssize_t step = write(fd, bytes.data() + written, bytes.size() - written);
    if (step < 0) {
      const Status failed = base::IoError("cannot write: " + path, errno);
      close(fd);
      return failed;
    }
    written += static_cast<std::size_t>(step);
  }
  close(fd);
  const base::MutexLock lock(mutex_);
  paths_.push_back(path);
  return path;
}

Status MemoryBlobStore::Remove(std::string_view sha256) {
  const base::MutexLock lock(mutex_);
  const auto it = blobs_.find(sha256);
  if (it == blobs_.end()) return NoBlob(sha256);
  blobs_.erase(it);
  return OkStatus();
}

Result<std::vector<std::string>> MemoryBlobStore::List() {
  const base::MutexLock lock(mutex_);
  std::vector<std::string> digests;
  for (const auto& [sha256, bytes] : blobs_) digests.push_back(sha256);
  return digests;
}

}  // namespace sightline::store
