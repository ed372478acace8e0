#include "fuzz/empty_engine.h"

#include "base/check.h"

namespace sightline::fuzz {
namespace {

constexpr std::string_view kContent = "content";

class DiscardingUpload final : public engine::Upload {
 public:
  base::Status Append(std::string_view /*bytes*/) override { return base::OkStatus(); }
  base::Result<engine::AddedDocument> Finish() override {
    return base::ResourceExhausted("nothing is kept");
  }
};

base::Status NoDocument() { return base::NotFound("there is no document with this id"); }

}  // namespace

base::Result<std::unique_ptr<engine::Upload>> EmptyEngine::BeginUpload(
    const engine::AddOptions& options) {
  CHECK(!options.file_name.empty() && options.file_name.find('/') == std::string::npos);
  CHECK(options.tags.size() <= engine::kMaxTags);
  return std::unique_ptr<engine::Upload>(std::make_unique<DiscardingUpload>());
}

base::Result<store::Document> EmptyEngine::GetDocument(std::string_view id) {
  if (id != kDocumentId) return NoDocument();
  store::Document document;
  document.id = std::string(kDocumentId);
  document.file_name = "a b\".txt";
  document.media_type = "text/plain";
  document.blob_sha256 = std::string(64, 'a');
  document.size_bytes = static_cast<std::int64_t>(kContent.size());
  return document;
}

base::Result<store::DocumentPage> EmptyEngine::ListDocuments(
    const store::DocumentQuery& /*query*/) {
  return store::DocumentPage();
}

base::Status EmptyEngine::RemoveDocument(std::string_view /*id*/) { return NoDocument(); }

base::Result<store::Document> EmptyEngine::RetryDocument(std::string_view /*id*/) {
  return NoDocument();
}

base::Result<std::vector<store::Unit>> EmptyEngine::ListUnits(
    const store::Catalog::UnitQuery& query) {
  CHECK(query.offset >= 0 && query.limit >= 0, "a page of units has a place");
  return std::vector<store::Unit>();
}

base::Result<store::Document> EmptyEngine::WaitForDocument(std::string_view id,
                                                           const base::CancelToken& /*cancel*/) {
  return GetDocument(id);
}

base::Result<retrieve::SearchResponse> EmptyEngine::Search(
    const retrieve::SearchRequest& /*request*/, const base::CancelToken& /*cancel*/) {
  return retrieve::SearchResponse();
}

base::Result<std::int64_t> EmptyEngine::BlobSize(std::string_view /*sha256*/) {
  return static_cast<std::int64_t>(kContent.size());
}

base::Result<std::string> EmptyEngine::ReadBlob(std::string_view /*sha256*/, std::int64_t offset,
                                                std::int64_t length) {
  CHECK(offset >= 0 && length >= 0, "a part of a file has a place");
  if (offset > static_cast<std::int64_t>(kContent.size())) return std::string();
  return std::string(
      kContent.substr(static_cast<std::size_t>(offset), static_cast<std::size_t>(length)));
}

base::Result<std::shared_ptr<const media::EncodedImage>> EmptyEngine::DrawPage(
    const engine::PageRequest& request, const base::CancelToken& /*cancel*/) {
  CHECK(request.width_px >= engine::kMinPageWidthPx && request.width_px <= engine::kMaxPageWidthPx);
  return base::NotFound("there is no such page");
}

base::Result<engine::SystemInfo> EmptyEngine::GetSystemInfo() { return engine::SystemInfo(); }

int EmptyEngine::AddListener(engine::DocumentListener /*listener*/) { return 0; }

void EmptyEngine::RemoveListener(int /*id*/) {}

base::Status EmptyEngine::AnnounceUrl(std::string_view /*url*/) { return base::OkStatus(); }

}  // namespace sightline::fuzz
