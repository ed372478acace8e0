#include "server/fake_engine.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "base/digest.h"
#include "base/ulid.h"

namespace sightline::server {

using base::MutexLock;

class FakeEngine::FakeUpload final : public engine::Upload {
 public:
  FakeUpload(FakeEngine& engine, engine::AddOptions options)
      : engine_(engine), options_(std::move(options)) {}
  ~FakeUpload() override {
    MutexLock lock(engine_.mutex_);
    if (!finished_) ++engine_.discarded_uploads_;
  }

  base::Status Append(std::string_view bytes) override {
    bytes_.append(bytes);
    return engine_.append_status;
  }

  base::Result<engine::AddedDocument> Finish() override {
    SIGHTLINE_RETURN_IF_ERROR(engine_.write_status);
    finished_ = true;
    const std::string digest = base::Sha256Hex(bytes_);
    {
      MutexLock lock(engine_.mutex_);
      for (const auto& [id, document] : engine_.documents_) {
        if (document.blob_sha256 == digest) return engine::AddedDocument{document, true};
      }
    }
    const std::string id = engine_.AddDocument(options_.file_name, bytes_, "");
    MutexLock lock(engine_.mutex_);
    store::Document& document = engine_.documents_[id];
    document.tags = options_.tags;
    document.metadata_json = options_.metadata_json;
    document.collection = options_.collection;
    return engine::AddedDocument{document, false};
  }

 private:
  FakeEngine& engine_;
  const engine::AddOptions options_;
  std::string bytes_;
  bool finished_ = false;
};

std::string FakeEngine::AddDocument(const std::string& file_name, const std::string& bytes,
                                    const std::string& media_type) {
  store::Document document;
  document.blob_sha256 = AddBlob(bytes);
  MutexLock lock(mutex_);
  document.id = base::Ulid{0, static_cast<uint64_t>(next_number_++)}.ToString();
  document.file_name = file_name;
  document.media_type = media_type;
  document.size_bytes = static_cast<std::int64_t>(bytes.size());
  documents_[document.id] = document;
  return document.id;
}

std::string FakeEngine::AddBlob(const std::string& bytes) {
  const std::string digest = base::Sha256Hex(bytes);
  MutexLock lock(mutex_);
  blobs_[digest] = bytes;
  return digest;
}

void FakeEngine::AddUnit(const store::Unit& unit) {
  MutexLock lock(mutex_);
  units_.push_back(unit);
}

void FakeEngine::Publish(const store::Document& document) {
  MutexLock lock(mutex_);
  for (const auto& [id, listener] : listeners_) listener(document);
}

int FakeEngine::discarded_uploads() const {
  MutexLock lock(mutex_);
  return discarded_uploads_;
}

base::Result<std::unique_ptr<engine::Upload>> FakeEngine::BeginUpload(
    const engine::AddOptions& options) {
  if (options.file_name == "refused") SIGHTLINE_RETURN_IF_ERROR(write_status);
  return std::unique_ptr<engine::Upload>(std::make_unique<FakeUpload>(*this, options));
}

base::Result<store::Document> FakeEngine::GetDocument(std::string_view id) {
  MutexLock lock(mutex_);
  const auto found = documents_.find(id);
  if (found == documents_.end()) return base::NotFound("there is no document with this id");
  return found->second;
}

base::Result<store::DocumentPage> FakeEngine::ListDocuments(const store::DocumentQuery& query) {
  MutexLock lock(mutex_);
  store::DocumentPage page;
  for (const auto& [id, document] : documents_) {
    if (id <= query.cursor || document.collection != query.collection) continue;
    if (page.documents.size() == static_cast<size_t>(query.limit)) {
      page.next_cursor = page.documents.back().id;
      break;
    }
    page.documents.push_back(document);
  }
  return page;
}

base::Status FakeEngine::RemoveDocument(std::string_view id) {
  SIGHTLINE_RETURN_IF_ERROR(GetDocument(id).status());
  SIGHTLINE_RETURN_IF_ERROR(write_status);
  MutexLock lock(mutex_);
  documents_.erase(documents_.find(id));
  return base::OkStatus();
}

base::Result<store::Document> FakeEngine::RetryDocument(std::string_view id) {
  SIGHTLINE_ASSIGN_OR_RETURN(const store::Document document, GetDocument(id));
  SIGHTLINE_RETURN_IF_ERROR(write_status);
  return base::FailedPrecondition("the document has not failed: " + document.id);
}

base::Result<std::vector<store::Unit>> FakeEngine::ListUnits(
    const store::Catalog::UnitQuery& query) {
  MutexLock lock(mutex_);
  std::vector<store::Unit> units;
  for (const store::Unit& unit : units_) {
    const bool fits = unit.document_id == query.document_id &&
                      (query.page == 0 || unit.locator.page == query.page);
    if (fits) units.push_back(unit);
  }
  const auto count = static_cast<std::int64_t>(units.size());
  units.erase(units.begin(), units.begin() + std::min(query.offset, count));
  if (units.size() > static_cast<size_t>(query.limit)) {
    units.resize(static_cast<size_t>(query.limit));
  }
  return units;
}

base::Result<store::Document> FakeEngine::WaitForDocument(std::string_view id,
                                                          const base::CancelToken& /*cancel*/) {
  return GetDocument(id);
}

base::Result<retrieve::SearchResponse> FakeEngine::Search(const retrieve::SearchRequest& request,
                                                          const base::CancelToken& cancel) {
  if (on_search != nullptr) return on_search(request, cancel);
  return retrieve::SearchResponse();
}

base::Result<std::int64_t> FakeEngine::BlobSize(std::string_view sha256) {
  MutexLock lock(mutex_);
  const auto found = blobs_.find(sha256);
  if (found == blobs_.end()) return base::NotFound("there is no such blob");
  return static_cast<std::int64_t>(found->second.size());
}

base::Result<std::string> FakeEngine::ReadBlob(std::string_view sha256, std::int64_t offset,
                                               std::int64_t length) {
  MutexLock lock(mutex_);
  const auto found = blobs_.find(sha256);
  if (found == blobs_.end()) return base::NotFound("there is no such blob");
  return found->second.substr(static_cast<size_t>(offset), static_cast<size_t>(length));
}

base::Result<std::shared_ptr<const media::EncodedImage>> FakeEngine::DrawPage(
    const engine::PageRequest& request, const base::CancelToken& /*cancel*/) {
  if (on_draw == nullptr) return base::NotFound("there is no such page");
  SIGHTLINE_ASSIGN_OR_RETURN(media::EncodedImage drawn, on_draw(request));
  return std::make_shared<const media::EncodedImage>(std::move(drawn));
}

base::Result<engine::SystemInfo> FakeEngine::GetSystemInfo() {
  engine::SystemInfo info;
  info.version = "1.2.3";
  info.counts.units = 77;
  info.models.push_back({.name = "e5-small",
                         .kind = "text",
                         .licence = "MIT",
                         .source = "",
                         .digest = "00ff",
                         .state = "ready",
                         .dims = 384});
  return info;
}

int FakeEngine::AddListener(engine::DocumentListener listener) {
  MutexLock lock(mutex_);
  listeners_[next_number_] = std::move(listener);
  return next_number_++;
}

void FakeEngine::RemoveListener(int id) {
  MutexLock lock(mutex_);
  listeners_.erase(id);
}

base::Status FakeEngine::AnnounceUrl(std::string_view url) {
  MutexLock lock(mutex_);
  announced_url_ = std::string(url);
  return base::OkStatus();
}

std::string FakeEngine::announced_url() const {
  MutexLock lock(mutex_);
  return announced_url_;
}

ServerOptions ServedEngine::DefaultOptions() {
  ServerOptions options;
  options.port = 0;
  options.temporary_dir = testing::TempDir();
  options.limits.shutdown_ms = 5'000;
  return options;
}

void ServedEngine::Start(const ServerOptions& options) {
  auto started = Server::Start(options, engine);
  ASSERT_TRUE(started.ok()) << started.status().ToString();
  server = *std::move(started);
}

io::HttpResponse ServedEngine::Send(io::HttpRequest request) {
  auto response = client_->Send(request);
  EXPECT_TRUE(response.ok()) << response.status().ToString();
  return response.ok() ? *std::move(response) : io::HttpResponse();
}

io::HttpResponse ServedEngine::Get(const std::string& path, std::vector<io::HttpHeader> headers) {
  io::HttpRequest request;
  request.url = url(path);
  request.headers = std::move(headers);
  return Send(std::move(request));
}

io::HttpResponse ServedEngine::Post(const std::string& path, const std::string& body,
                                    std::vector<io::HttpHeader> headers) {
  io::HttpRequest request;
  request.method = "POST";
  request.url = url(path);
  request.body = body;
  request.headers = std::move(headers);
  return Send(std::move(request));
}

}  // namespace sightline::server
