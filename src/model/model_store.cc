#include "model/model_store.h"

#include <algorithm>
#include <utility>

#include "base/digest.h"
#include "model/verification_stamp.h"

namespace sightline::model {
namespace {

constexpr std::uint64_t kMaxRegistryBytes = 4 << 20;
constexpr std::uint64_t kMaxStampBytes = 1 << 20;
constexpr std::size_t kChunkBytes = 1 << 20;
constexpr std::string_view kStampName = ".verified";
constexpr std::string_view kManifestName = "model.toml";

base::Result<std::string> DigestOf(const io::ReadableFile& file, const base::CancelToken& cancel) {
  base::Sha256 digest;
  std::vector<std::byte> chunk(kChunkBytes);
  for (std::uint64_t offset = 0; offset < file.size_bytes();) {
    SIGHTLINE_RETURN_IF_ERROR(cancel.Check());
    SIGHTLINE_ASSIGN_OR_RETURN(const std::size_t size, file.ReadAt(offset, chunk));
    if (size == 0) return base::DataLoss("a file became shorter while it was read: " + file.path());
    digest.Update(std::span(chunk).first(size));
    offset += size;
  }
  return base::HexEncode(digest.Finish());
}

}  // namespace

std::string_view ModelStateName(ModelState state) {
  switch (state) {
    case ModelState::kInstalled:
      return "installed";
    case ModelState::kMissing:
      return "missing";
    case ModelState::kDamaged:
      break;
  }
  return "damaged";
}

base::Result<ModelStore> ModelStore::Open(io::FileSystem& files, const std::string& cache_folder,
                                          const std::string& registry_path) {
  ModelStore store(files, cache_folder);
  SIGHTLINE_ASSIGN_OR_RETURN(const std::string content,
                             files.ReadFile(registry_path, kMaxRegistryBytes));
  auto models = ParseRegistry(content);
  if (!models.ok()) return models.status().WithContext(registry_path);
  store.models_ = *std::move(models);
  SIGHTLINE_RETURN_IF_ERROR(store.ReadPulledModels());
  return store;
}

base::Status ModelStore::ReadPulledModels() {
  const std::string root = io::JoinPath(cache_folder_, "models");
  SIGHTLINE_ASSIGN_OR_RETURN(const bool exists, files_->Exists(root));
  if (!exists) return base::OkStatus();
  SIGHTLINE_ASSIGN_OR_RETURN(const auto names, files_->List(root));
  for (const std::string& name : names) {
    const std::string path = io::JoinPath(io::JoinPath(root, name), kManifestName);
    SIGHTLINE_ASSIGN_OR_RETURN(const bool pulled, files_->Exists(path));
    if (!pulled) continue;
    SIGHTLINE_ASSIGN_OR_RETURN(const std::string content,
                               files_->ReadFile(path, kMaxRegistryBytes));
    auto entries = ParseRegistry(content);
    if (!entries.ok()) return entries.status().WithContext(path);
    for (ModelEntry& entry : *entries) {
      const auto same = [&](const ModelEntry& other) { return other.name == entry.name; };
      // The registry's own models cannot be replaced by a folder of the cache.
      if (entry.name == name && std::ranges::none_of(models_, same)) {
        models_.push_back(std::move(entry));
      }
    }
  }
  return base::OkStatus();
}

base::Result<const ModelEntry*> ModelStore::Find(std::string_view name) const {
  std::string known;
  for (const ModelEntry& entry : models_) {
    if (entry.name == name) return &entry;
    known += (known.empty() ? "" : ", ") + entry.name;
  }
  return base::NotFound("no such model in the registry: " + std::string(name) +
                        " (there are: " + known + ")");
}

std::string ModelStore::FolderOf(const ModelEntry& entry) const {
  return io::JoinPath(io::JoinPath(cache_folder_, "models"), entry.name);
}

base::Status ModelStore::VerifyFile(const std::string& folder, const ModelFile& file,
                                    VerifyMode mode, const base::CancelToken& cancel) const {
  const std::string path = io::JoinPath(folder, file.name);
  const auto info = files_->Stat(path);
  if (!info.ok()) {
    if (info.status().code() != base::StatusCode::kNotFound) return info.status();
    return base::NotFound("a model file is missing (run: sightline models pull): " + path);
  }
  if (info->size_bytes != file.size_bytes) {
    return base::DataLoss("a model file has " + std::to_string(info->size_bytes) + " bytes, not " +
                          std::to_string(file.size_bytes) +
                          "; replace it with sightline models pull: " + path);
  }
  const std::string stamp_path = io::JoinPath(folder, kStampName);
  const auto content = files_->ReadFile(stamp_path, kMaxStampBytes);
  VerificationStamp stamp = content.ok() ? VerificationStamp::Parse(*content) : VerificationStamp();
  if (mode == VerifyMode::kTrustStamp && stamp.Covers(file.name, file.sha256, *info)) {
    return base::OkStatus();
  }
  SIGHTLINE_ASSIGN_OR_RETURN(const auto readable, files_->OpenForRead(path));
  SIGHTLINE_ASSIGN_OR_RETURN(const std::string digest, DigestOf(*readable, cancel));
  if (digest != file.sha256) {
    return base::DataLoss(
        "a model file's SHA-256 is not the published one; replace it with sightline models pull: " +
        path);
  }
  stamp.Add(file.name, file.sha256, *info);
  const base::Status written = files_->WriteFileAtomically(stamp_path, stamp.Format());
  // A cache that cannot be written (read-only image) is only slower: it is read again next time.
  if (!written.ok() && written.code() == base::StatusCode::kDataLoss) return written;
  return base::OkStatus();
}

base::Result<std::string> ModelStore::Locate(const ModelEntry& entry, std::string_view file_name,
                                             VerifyMode mode) const {
  const ModelFile* file = entry.FindFile(file_name);
  if (file == nullptr) {
    return base::NotFound("the registry lists no such file for " + entry.name + ": " +
                          std::string(file_name));
  }
  SIGHTLINE_RETURN_IF_ERROR(VerifyFile(FolderOf(entry), *file, mode, {}));
  return io::JoinPath(FolderOf(entry), file->name);
}

base::Status ModelStore::Verify(const ModelEntry& entry, VerifyMode mode,
                                const base::CancelToken& cancel) const {
  for (const ModelFile& file : entry.files) {
    SIGHTLINE_RETURN_IF_ERROR(VerifyFile(FolderOf(entry), file, mode, cancel));
  }
  return base::OkStatus();
}

std::vector<ModelStatus> ModelStore::List(VerifyMode mode, const base::CancelToken& cancel) const {
  std::vector<ModelStatus> list;
  for (const ModelEntry& entry : models_) {
    const base::Status status = Verify(entry, mode, cancel);
    ModelStatus item{entry, ModelState::kInstalled, status.message(), FolderOf(entry)};
    if (!status.ok()) {
      item.state = status.code() == base::StatusCode::kNotFound ? ModelState::kMissing
                                                                : ModelState::kDamaged;
    }
    list.push_back(std::move(item));
  }
  return list;
}

}  // namespace sightline::model
