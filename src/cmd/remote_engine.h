// RemoteEngine: the facade over HTTP, for a data folder that a running server holds.
#pragma once

#include <map>
#include <memory>
#include <string>

#include "base/mutex.h"
#include "engine/engine.h"
#include "io/http_client.h"

namespace sightline::cmd {

/// Speaks the HTTP API of one server. Thread-safe. Listeners hear of documents that
/// `WaitForDocument` waits for.
class RemoteEngine final : public engine::Engine {
 public:
  /// Asks the server whether it is alive; `kUnavailable` names the URL when it is not.
  static base::Result<std::unique_ptr<RemoteEngine>> Connect(std::string url,
                                                             std::unique_ptr<io::HttpClient> client,
                                                             const base::CancelToken& cancel);

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
  /// Previews only: the API gives no other blob by its digest.
  base::Result<std::int64_t> BlobSize(std::string_view sha256) override;
  base::Result<std::string> ReadBlob(std::string_view sha256, std::int64_t offset,
                                     std::int64_t length) override;
  /// Never: who serves the data folder draws its pages.
  base::Result<std::shared_ptr<const media::EncodedImage>> DrawPage(
      const engine::PageRequest& request, const base::CancelToken& cancel) override;
  base::Result<engine::SystemInfo> GetSystemInfo() override;
  int AddListener(engine::DocumentListener listener) override;
  void RemoveListener(int id) override;
  /// Never: this process serves nobody.
  base::Status AnnounceUrl(std::string_view url) override;

 private:
  RemoteEngine(std::string url, std::unique_ptr<io::HttpClient> client, base::CancelToken cancel)
      : url_(std::move(url)), client_(std::move(client)), cancel_(std::move(cancel)) {}

  /// The body of a 2xx answer; otherwise the failure that the server tells.
  base::Result<std::string> Call(io::HttpRequest request);
  base::Result<std::string> Get(const std::string& path);
  void Notify(const store::Document& document) SIGHTLINE_EXCLUDES(mutex_);

  const std::string url_;
  const std::unique_ptr<io::HttpClient> client_;
  const base::CancelToken cancel_;
  base::Mutex mutex_;
  std::map<int, engine::DocumentListener> listeners_ SIGHTLINE_GUARDED_BY(mutex_);
  int next_listener_ SIGHTLINE_GUARDED_BY(mutex_) = 1;
};

}  // namespace sightline::cmd
