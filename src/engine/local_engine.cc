#include "engine/local_engine.h"

#include <spdlog/spdlog.h>

#include <algorithm>
#include <filesystem>
#include <utility>

#include "base/clock.h"
#include "base/random.h"
#include "base/utf8.h"
#include "base/version.h"
#include "engine/model_list.h"

namespace sightline::engine {
namespace {

using base::OkStatus;
using base::Result;
using base::Status;

constexpr std::size_t kMaxFileNameBytes = 255;
constexpr std::size_t kMaxMetadataBytes = 64 << 10;
/// Some hundred pages of text at the largest width.
constexpr std::uint64_t kPagePicturesBytes = std::uint64_t{128} << 20;

/// The last part of the name, without what a terminal or a file system could trip over.
std::string CleanFileName(std::string_view name) {
  const std::string valid = base::SanitizeUtf8(name.substr(name.find_last_of("/\\") + 1));
  std::string clean;
  for (const char c : valid) {
    const auto byte = static_cast<unsigned char>(c);
    if (byte >= 0x20 && byte != 0x7F) clean += c;
  }
  clean = std::string(base::TruncateUtf8(clean, kMaxFileNameBytes));
  return clean.empty() ? "unnamed" : clean;
}

Status ValidateOptions(const AddOptions& options) {
  if (options.metadata_json.size() > kMaxMetadataBytes) {
    return base::InvalidArgument("metadata is too large: at most 65536 bytes, got " +
                                 std::to_string(options.metadata_json.size()));
  }
  if (options.tags.size() > kMaxTags) {
    return base::InvalidArgument("too many tags: at most 64, got " +
                                 std::to_string(options.tags.size()));
  }
  for (const std::string& tag : options.tags) {
    if (tag.empty() || tag.size() > kMaxTagBytes || !base::IsValidUtf8(tag)) {
      return base::InvalidArgument("a tag must be 1 to 128 bytes of UTF-8: '" +
                                   base::SanitizeUtf8(tag) + "'");
    }
  }
  return OkStatus();
}

/// The bytes of one upload on their way into the blob store.
class LocalUpload final : public Upload {
 public:
  LocalUpload(LocalEngine& engine, AddOptions options, std::int64_t max_bytes,
              std::unique_ptr<store::BlobWriter> writer)
      : engine_(engine),
        options_(std::move(options)),
        max_bytes_(max_bytes),
        writer_(std::move(writer)) {}

  Status Append(std::string_view bytes) override {
    if (writer_->size_bytes() + static_cast<std::int64_t>(bytes.size()) > max_bytes_) {
      return base::ResourceExhausted("the file is too large: at most " +
                                     std::to_string(max_bytes_) + " bytes (limits.upload_bytes)");
    }
    return writer_->Append(bytes);
  }

  Result<AddedDocument> Finish() override {
    const std::int64_t size_bytes = writer_->size_bytes();
    if (size_bytes == 0) return base::InvalidArgument("the file is empty: " + options_.file_name);
    SIGHTLINE_ASSIGN_OR_RETURN(const std::string sha256, writer_->Commit());
    return engine_.FinishUpload(options_, sha256, size_bytes);
  }

 private:
  LocalEngine& engine_;
  const AddOptions options_;
  const std::int64_t max_bytes_;
  std::unique_ptr<store::BlobWriter> writer_;
};

ingest::PipelineOptions PipelineOptionsOf(const Config& config) {
  ingest::PipelineOptions options;
  options.encode_threads = EncoderThreads(config);
  options.max_pages = config.max_pages;
  options.speech = config.speech;
  options.pool_factor = config.pool_factor;
  return options;
}

std::int64_t FolderBytes(const std::string& path) {
  std::error_code error;
  std::int64_t bytes = 0;
  for (const auto& entry : std::filesystem::recursive_directory_iterator(path, error)) {
    std::error_code gone;  // Files come and go while we look.
    if (entry.is_regular_file(gone)) bytes += static_cast<std::int64_t>(entry.file_size(gone));
  }
  return bytes;
}

}  // namespace

Result<std::unique_ptr<Engine>> Engine::Open(const Config& config, Mode mode) {
  SIGHTLINE_ASSIGN_OR_RETURN(DataFolder folder,
                             DataFolder::Lock(io::PosixFileSystem(), config.data_dir));
  SIGHTLINE_ASSIGN_OR_RETURN(Components components, OpenComponents(config));
  return std::unique_ptr<Engine>(
      std::make_unique<LocalEngine>(config, std::move(folder), std::move(components), mode));
}

LocalEngine::LocalEngine(Config config, DataFolder folder, Components components, Mode mode)
    : config_(std::move(config)),
      folder_(std::move(folder)),
      components_(std::move(components)),
      ulids_(base::SystemClock(), base::SystemRandom()),
      compactor_(*components_.catalog, *components_.vectors),
      pipeline_(components_.ingest_services(), PipelineOptionsOf(config_)),
      workers_(pipeline_, *components_.catalog, *components_.queue,
               {.workers = config_.ingest_workers},
               [this](const store::Document& document) {
                 if (document.state == store::DocumentState::kReady) {
                   compactor_.Wake(document.collection);
                 }
                 events_.Publish(document);
               }),
      searcher_(components_.search_services()),
      page_pictures_(*components_.blobs, *components_.decoder, kPagePicturesBytes) {
  if (mode == Mode::kIngest) {
    compactor_.Start();
    workers_.Start();
  }
}

LocalEngine::~LocalEngine() {
  workers_.Stop();
  compactor_.Stop();
}

Result<std::unique_ptr<Upload>> LocalEngine::BeginUpload(const AddOptions& options) {
  SIGHTLINE_RETURN_IF_ERROR(ValidateOptions(options));
  AddOptions clean = options;
  clean.file_name = CleanFileName(options.file_name);
  SIGHTLINE_ASSIGN_OR_RETURN(auto writer, components_.blobs->NewWriter());
  return std::unique_ptr<Upload>(std::make_unique<LocalUpload>(
      *this, std::move(clean), config_.max_upload_bytes, std::move(writer)));
}

Result<AddedDocument> LocalEngine::FinishUpload(const AddOptions& options,
                                                const std::string& sha256,
                                                std::int64_t size_bytes) {
  const base::MutexLock lock(blobs_mutex_);
  SIGHTLINE_ASSIGN_OR_RETURN(auto known,
                             components_.catalog->FindByDigest(options.collection, sha256));
  if (known && known->state == store::DocumentState::kFailed) {
    // Whoever adds a file again that could not be read has changed something.
    SIGHTLINE_ASSIGN_OR_RETURN(store::Document retried, RetryDocument(known->id));
    return AddedDocument{std::move(retried), false};
  }
  if (known && known->state == store::DocumentState::kQueued) {
    // It may be postponed; whoever adds it again wants it tried now.
    SIGHTLINE_RETURN_IF_ERROR(components_.queue->Enqueue("ingest", known->id));
  }
  if (known) return AddedDocument{*std::move(known), true};
  // The bytes were placed before the lock: a removal of their only other document may have come
  // between.
  if (components_.blobs->Size(sha256).status().code() == base::StatusCode::kNotFound) {
    return base::Unavailable("the same file was being removed meanwhile; send it again");
  }
  store::Document document;
  document.id = ulids_.Next().ToString();
  document.collection = options.collection;
  document.file_name = options.file_name;
  document.title = std::filesystem::path(options.file_name).stem().string();
  document.tags = options.tags;
  document.metadata_json = options.metadata_json;
  document.blob_sha256 = sha256;
  document.size_bytes = size_bytes;
  document.created_at_ms = base::UnixMillis(base::SystemClock().UtcNow());
  document.updated_at_ms = document.created_at_ms;
  const Status created = components_.catalog->CreateDocument(document);
  if (!created.ok()) {
    // What cannot be removed now is garbage that the next start collects.
    const Status removed = RemoveUnusedBlob(sha256);
    if (!removed.ok()) spdlog::warn("cannot remove an unused blob: {}", removed.ToString());
    return created;
  }
  SIGHTLINE_RETURN_IF_ERROR(components_.queue->Enqueue("ingest", document.id));
  events_.Publish(document);
  return AddedDocument{std::move(document), false};
}

Status LocalEngine::RemoveUnusedBlob(const std::string& sha256) {
  SIGHTLINE_ASSIGN_OR_RETURN(const std::vector<std::string> live, components_.catalog->LiveBlobs());
  if (std::find(live.begin(), live.end(), sha256) != live.end()) return OkStatus();
  return components_.blobs->Remove(sha256);
}

Result<store::Document> LocalEngine::GetDocument(std::string_view id) {
  return components_.catalog->GetDocument(id);
}

Result<store::DocumentPage> LocalEngine::ListDocuments(const store::DocumentQuery& query) {
  return components_.catalog->ListDocuments(query);
}

Status LocalEngine::RemoveDocument(std::string_view id) {
  SIGHTLINE_ASSIGN_OR_RETURN(const store::Document document, components_.catalog->GetDocument(id));
  const base::MutexLock lock(blobs_mutex_);
  const auto removed = components_.catalog->RemoveDocument(id);
  if (!removed.ok()) return removed.status();
  workers_.CancelDocument(document.id);
  compactor_.Wake(document.collection);
  // The original goes at once unless another collection holds the same bytes; previews, which
  // documents that are being ingested may be about to share, go at the next start.
  return RemoveUnusedBlob(document.blob_sha256);
}

Result<store::Document> LocalEngine::RetryDocument(std::string_view id) {
  SIGHTLINE_ASSIGN_OR_RETURN(store::Document document, components_.catalog->GetDocument(id));
  if (document.state != store::DocumentState::kFailed) {
    return base::FailedPrecondition(std::string("only a failed document can be retried; it is ") +
                                    store::DocumentStateName(document.state));
  }
  document.state = store::DocumentState::kQueued;
  document.reason.clear();
  document.reason_code.clear();
  document.warnings.clear();
  SIGHTLINE_RETURN_IF_ERROR(components_.catalog->UpdateDocument(document));
  SIGHTLINE_RETURN_IF_ERROR(components_.queue->Enqueue("ingest", document.id));
  events_.Publish(document);
  return document;
}

Result<std::vector<store::Unit>> LocalEngine::ListUnits(const store::Catalog::UnitQuery& query) {
  return components_.catalog->ListUnits(query);
}

Result<store::Document> LocalEngine::WaitForDocument(std::string_view id,
                                                     const base::CancelToken& cancel) {
  return events_.Wait(
      *components_.catalog, id, [this, &id] { return workers_.Trouble(std::string(id)); }, cancel);
}

Result<retrieve::SearchResponse> LocalEngine::Search(const retrieve::SearchRequest& request,
                                                     const base::CancelToken& cancel) {
  return searcher_.Search(request, cancel);
}

Result<std::int64_t> LocalEngine::BlobSize(std::string_view sha256) {
  return components_.blobs->Size(sha256);
}

Result<std::string> LocalEngine::ReadBlob(std::string_view sha256, std::int64_t offset,
                                          std::int64_t length) {
  return components_.blobs->Read(sha256, offset, length);
}

Result<std::shared_ptr<const media::EncodedImage>> LocalEngine::DrawPage(
    const PageRequest& request, const base::CancelToken& cancel) {
  SIGHTLINE_ASSIGN_OR_RETURN(const store::Document document,
                             components_.catalog->GetDocument(request.document_id));
  return page_pictures_.Get({document.blob_sha256, request.page_number, request.width_px}, cancel);
}

Result<SystemInfo> LocalEngine::GetSystemInfo() {
  SystemInfo info;
  info.version = std::string(base::kVersion);
  info.data_dir = folder_.path();
  info.data_bytes = FolderBytes(folder_.path());
  SIGHTLINE_ASSIGN_OR_RETURN(info.counts, components_.catalog->Counts());
  SIGHTLINE_ASSIGN_OR_RETURN(info.queue, components_.queue->Counts());
  SIGHTLINE_ASSIGN_OR_RETURN(info.models, ListModels(config_, model::VerifyMode::kTrustStamp, {}));
  if (const auto text = components_.models->Text(); text.ok()) {
    info.spaces.push_back((*text)->sentence_space());
    info.spaces.push_back((*text)->token_space());
  }
  if (const auto image = components_.models->Image(); image.ok()) {
    info.spaces.push_back((*image)->feature_space());
    info.spaces.push_back((*image)->concept_space());
  }
  if (const auto dual = components_.models->Dual(); dual.ok()) {
    info.spaces.push_back((*dual)->space());
  }
  return info;
}

int LocalEngine::AddListener(DocumentListener listener) { return events_.Add(std::move(listener)); }

void LocalEngine::RemoveListener(int id) { events_.Remove(id); }

Status LocalEngine::AnnounceUrl(std::string_view url) { return folder_.WriteUrl(url); }

}  // namespace sightline::engine
