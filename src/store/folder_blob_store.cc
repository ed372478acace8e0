#include "store/folder_blob_store.h"

#include <algorithm>
#include <utility>

#include "base/digest.h"
#include "base/utf8.h"

namespace sightline::store {
namespace {

using base::OkStatus;
using base::Result;
using base::Status;
using base::StatusCode;

constexpr std::string_view kNewFolder = "new";
constexpr std::size_t kHexDigits = 64;
constexpr std::size_t kFanoutDigits = 2;
/// One Read gives at most this much, whatever is asked for.
constexpr std::int64_t kMaxReadBytes = std::int64_t{64} << 20U;

bool IsHex(std::string_view text) {
  return text.find_first_not_of("0123456789abcdef") == std::string_view::npos;
}

Status NoSuchBlob(const Status& status, std::string_view sha256) {
  if (status.code() != StatusCode::kNotFound) return status;
  return base::NotFound("no such blob: " + std::string(sha256));
}

}  // namespace

/// A temporary file that becomes the blob.
class FolderBlobWriter final : public BlobWriter {
 public:
  FolderBlobWriter(FolderBlobStore& store, std::unique_ptr<io::WritableFile> file)
      : store_(store), temporary_(file->path()), file_(std::move(file)) {}

  ~FolderBlobWriter() override {
    if (committed_) return;
    file_.reset();
    // It is gone when the blob took its place; else what stays is discarded at the next opening.
    [[maybe_unused]] const Status removed = store_.files_.RemoveFile(temporary_);
  }

  Status Append(std::string_view bytes) override {
    if (!failure_.ok()) return failure_;
    if (committed_) return base::FailedPrecondition("the blob is committed");
    failure_ = store_.stop_.Note(file_->Append(bytes));
    if (!failure_.ok()) return failure_;
    hash_.Update(bytes);
    size_bytes_ += static_cast<std::int64_t>(bytes.size());
    return OkStatus();
  }

  std::int64_t size_bytes() const override { return size_bytes_; }

  Result<std::string> Commit() override {
    if (!failure_.ok()) return failure_;
    if (committed_) return base::FailedPrecondition("the blob is committed");
    const std::string sha256 = base::HexEncode(hash_.Finish());
    failure_ = store_.stop_.Note(CommitAs(sha256));
    if (!failure_.ok()) return failure_;
    committed_ = true;
    return sha256;
  }

 private:
  Status CommitAs(const std::string& sha256) {
    SIGHTLINE_RETURN_IF_ERROR(store_.stop_.Check());
    SIGHTLINE_RETURN_IF_ERROR(file_->Sync());
    SIGHTLINE_RETURN_IF_ERROR(file_->Close());
    return store_.Place(temporary_, sha256);
  }

  FolderBlobStore& store_;
  const std::string temporary_;
  std::unique_ptr<io::WritableFile> file_;
  base::Sha256 hash_;
  std::int64_t size_bytes_ = 0;
  Status failure_;
  bool committed_ = false;
};

Result<std::unique_ptr<FolderBlobStore>> FolderBlobStore::Open(io::FileSystem& files,
                                                               const std::string& folder) {
  const std::string fresh = io::JoinPath(folder, kNewFolder);
  SIGHTLINE_RETURN_IF_ERROR(files.RemoveTree(fresh));
  SIGHTLINE_RETURN_IF_ERROR(files.CreateDirectories(fresh));
  SIGHTLINE_RETURN_IF_ERROR(files.SyncDirectory(io::ParentPath(folder)));
  SIGHTLINE_RETURN_IF_ERROR(files.SyncDirectory(folder));
  std::unique_ptr<FolderBlobStore> store(new FolderBlobStore(files, folder));
  SIGHTLINE_ASSIGN_OR_RETURN(const auto names, files.List(folder));
  const base::MutexLock lock(store->directories_mutex_);
  store->directories_.insert(names.begin(), names.end());
  return store;
}

FolderBlobStore::FolderBlobStore(io::FileSystem& files, std::string folder)
    : files_(files), folder_(std::move(folder)) {}

Result<std::string> FolderBlobStore::PathOf(std::string_view sha256) const {
  if (sha256.size() != kHexDigits || !IsHex(sha256)) {
    return base::InvalidArgument("a blob digest must be 64 hex digits: '" +
                                 base::SanitizeUtf8(base::TruncateUtf8(sha256, 80)) + "'");
  }
  return io::JoinPath(io::JoinPath(folder_, sha256.substr(0, kFanoutDigits)),
                      sha256.substr(kFanoutDigits));
}

Status FolderBlobStore::MakeDirectory(const std::string& directory) {
  // Held while it syncs: nobody may use the directory before its name is durable.
  const base::MutexLock lock(directories_mutex_);
  if (directories_.contains(directory)) return OkStatus();
  SIGHTLINE_RETURN_IF_ERROR(files_.CreateDirectories(io::JoinPath(folder_, directory)));
  SIGHTLINE_RETURN_IF_ERROR(files_.SyncDirectory(folder_));
  directories_.insert(directory);
  return OkStatus();
}

Status FolderBlobStore::Place(const std::string& temporary, const std::string& sha256) {
  const std::string directory = sha256.substr(0, kFanoutDigits);
  SIGHTLINE_RETURN_IF_ERROR(MakeDirectory(directory));
  SIGHTLINE_ASSIGN_OR_RETURN(const std::string path, PathOf(sha256));
  // The same bytes may be there already; then this puts an equal file in their place.
  SIGHTLINE_RETURN_IF_ERROR(files_.Rename(temporary, path));
  return files_.SyncDirectory(io::JoinPath(folder_, directory));
}

Result<std::unique_ptr<BlobWriter>> FolderBlobStore::NewWriter() {
  SIGHTLINE_RETURN_IF_ERROR(stop_.Check());
  auto file = files_.CreateTemporary(io::JoinPath(folder_, kNewFolder), "blob-");
  SIGHTLINE_RETURN_IF_ERROR(stop_.Note(file.status()));
  return std::unique_ptr<BlobWriter>(std::make_unique<FolderBlobWriter>(*this, *std::move(file)));
}

Result<std::string> FolderBlobStore::Put(std::string_view bytes) {
  const std::string sha256 = base::Sha256Hex(bytes);
  SIGHTLINE_ASSIGN_OR_RETURN(const std::string path, PathOf(sha256));
  SIGHTLINE_ASSIGN_OR_RETURN(const bool known, files_.Exists(path));
  if (known) {
    // Another thread may have renamed it and not have synced the name yet.
    SIGHTLINE_RETURN_IF_ERROR(stop_.Check());
    SIGHTLINE_RETURN_IF_ERROR(stop_.Note(files_.SyncDirectory(io::ParentPath(path))));
    return sha256;
  }
  SIGHTLINE_ASSIGN_OR_RETURN(const auto writer, NewWriter());
  SIGHTLINE_RETURN_IF_ERROR(writer->Append(bytes));
  return writer->Commit();
}

Result<std::int64_t> FolderBlobStore::Size(std::string_view sha256) {
  SIGHTLINE_ASSIGN_OR_RETURN(const std::string path, PathOf(sha256));
  const auto info = files_.Stat(path);
  if (!info.ok()) return NoSuchBlob(info.status(), sha256);
  return static_cast<std::int64_t>(info->size_bytes);
}

Result<std::string> FolderBlobStore::Read(std::string_view sha256, std::int64_t offset,
                                          std::int64_t length) {
  if (offset < 0 || length < 0) {
    return base::InvalidArgument("a range of a blob must not be negative");
  }
  SIGHTLINE_ASSIGN_OR_RETURN(const std::string path, PathOf(sha256));
  const auto file = files_.OpenForRead(path);
  if (!file.ok()) return NoSuchBlob(file.status(), sha256);
  const auto size_bytes = static_cast<std::int64_t>((*file)->size_bytes());
  const std::int64_t left = std::max<std::int64_t>(size_bytes - offset, 0);
  std::string bytes(static_cast<std::size_t>(std::min({length, left, kMaxReadBytes})), '\0');
  SIGHTLINE_RETURN_IF_ERROR((*file)->ReadExactlyAt(static_cast<std::uint64_t>(offset),
                                                   std::as_writable_bytes(std::span(bytes))));
  return bytes;
}

Result<std::string> FolderBlobStore::LocalPath(std::string_view sha256) {
  SIGHTLINE_ASSIGN_OR_RETURN(std::string path, PathOf(sha256));
  const auto info = files_.Stat(path);
  if (!info.ok()) return NoSuchBlob(info.status(), sha256);
  return path;
}

Status FolderBlobStore::Remove(std::string_view sha256) {
  SIGHTLINE_ASSIGN_OR_RETURN(const std::string path, PathOf(sha256));
  return NoSuchBlob(files_.RemoveFile(path), sha256);
}

Result<std::vector<std::string>> FolderBlobStore::List() {
  std::vector<std::string> digests;
  SIGHTLINE_ASSIGN_OR_RETURN(const auto directories, files_.List(folder_));
  for (const std::string& directory : directories) {
    if (directory.size() != kFanoutDigits || !IsHex(directory)) continue;
    SIGHTLINE_ASSIGN_OR_RETURN(const auto names, files_.List(io::JoinPath(folder_, directory)));
    for (const std::string& name : names) {
      if (name.size() == kHexDigits - kFanoutDigits && IsHex(name)) {
        digests.push_back(directory + name);
      }
    }
  }
  return digests;
}

}  // namespace sightline::store
