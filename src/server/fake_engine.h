// An engine in memory for the tests of the server, and a server that serves it.
#pragma once

#include <functional>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "base/mutex.h"
#include "engine/engine.h"
#include "io/http_client.h"
#include "server/server.h"

namespace sightline::server {

/// Keeps documents and blobs; searching is what `on_search` does. Thread-safe.
class FakeEngine final : public engine::Engine {
 public:
  using SearchFunction = std::function<base::Result<retrieve::SearchResponse>(
      const retrieve::SearchRequest&, const base::CancelToken&)>;

  /// Adds a document with these bytes; its id.
  std::string AddDocument(const std::string& file_name, const std::string& bytes,
                          const std::string& media_type);
  /// Adds a blob; its digest.
  std::string AddBlob(const std::string& bytes);
  void AddUnit(const store::Unit& unit);
  /// Tells the listeners of a change.
  void Publish(const store::Document& document);

  /// Called by `Search`, set before the server starts.
  SearchFunction on_search;
  /// What `Append` of an upload returns, set before the server starts.
  base::Status append_status;
  /// What everything else that writes returns when it is not ok (the beginning of an upload only
  /// for the file "refused"), set before the server starts.
  base::Status write_status;
  /// Called by `DrawPage`, set before the server starts.
  std::function<base::Result<media::EncodedImage>(const engine::PageRequest&)> on_draw;
  /// Uploads that were dropped before `Finish`.
  int discarded_uploads() const;

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

  /// What `AnnounceUrl` was told.
  std::string announced_url() const;

 private:
  class FakeUpload;

  mutable base::Mutex mutex_;
  std::map<std::string, store::Document, std::less<>> documents_ SIGHTLINE_GUARDED_BY(mutex_);
  std::map<std::string, std::string, std::less<>> blobs_ SIGHTLINE_GUARDED_BY(mutex_);
  std::vector<store::Unit> units_ SIGHTLINE_GUARDED_BY(mutex_);
  std::map<int, engine::DocumentListener> listeners_ SIGHTLINE_GUARDED_BY(mutex_);
  std::string announced_url_ SIGHTLINE_GUARDED_BY(mutex_);
  int next_number_ SIGHTLINE_GUARDED_BY(mutex_) = 1;
  int discarded_uploads_ SIGHTLINE_GUARDED_BY(mutex_) = 0;
};

/// A fake engine behind a server on a free port.
class ServedEngine {
 public:
  /// Options with a free port and small pools.
  static ServerOptions DefaultOptions();
  /// Starts the server.
  void Start(const ServerOptions& options = DefaultOptions());

  /// Sends a request; fails the test when there is no answer.
  io::HttpResponse Send(io::HttpRequest request);
  io::HttpResponse Get(const std::string& path, std::vector<io::HttpHeader> headers = {});
  io::HttpResponse Post(const std::string& path, const std::string& body,
                        std::vector<io::HttpHeader> headers = {});
  std::string url(const std::string& path) const { return server->url() + path; }

  FakeEngine engine;
  std::unique_ptr<Server> server;

 private:
  std::unique_ptr<io::HttpClient> client_ = io::MakeHttpClient();
};

}  // namespace sightline::server
