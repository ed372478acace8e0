// An engine with one document and nothing else, for what is behind the server's handlers.
#pragma once

#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "engine/engine.h"

namespace sightline::fuzz {

/// Answers at once and keeps nothing. Its document has the id `kDocumentId`, the bytes "content"
/// and no units.
class EmptyEngine final : public engine::Engine {
 public:
  static constexpr std::string_view kDocumentId = "00000000000000000000000001";

  base::Result<std::unique_ptr<engine::Upload>> BeginUpload(
      const engine::AddOptions& options) override;
  base::Result<store::Document> GetDocument(std::string_view id) override;
  base::Result<store::DocumentPage> ListDocuments(const store::DocumentQuery& query) override;
  base::Status RemoveDocument(std::string_view id) override;
  base::Result<store::Document> RetryDocument(std::string_view id) override;
  base::Result<std::vector<store::Unit>> ListUnits(const store::Catalog::UnitQuery& query) override;
  base::Result<store::Document> WaitForDocument(std::string_view id,
                                                const base::CancelToken& cancel) override;
  base::Result<retrieve::SearchResponse> Search(const retrieve::SearchRequest& request,
                                                const base::CancelToken& cancel) override;
  base::Result<std::int64_t> BlobSize(std::string_view sha256) override;
  base::Result<std::string> ReadBlob(std::string_view sha256, std::int64_t offset,
                                     std::int64_t length) override;
  base::Result<std::shared_ptr<const media::EncodedImage>> DrawPage(
      const engine::PageRequest& request, const base::CancelToken& cancel) override;
  base::Result<engine::SystemInfo> GetSystemInfo() override;
  int AddListener(engine::DocumentListener listener) override;
  void RemoveListener(int id) override;
  base::Status AnnounceUrl(std::string_view url) override;
};

}  // namespace sightline::fuzz
