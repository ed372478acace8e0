// The engine of the process that owns the data folder.
#pragma once

#include <memory>
#include <string>

#include "base/mutex.h"
#include "base/ulid.h"
#include "engine/compactor.h"
#include "engine/components.h"
#include "engine/data_folder.h"
#include "engine/document_events.h"
#include "engine/engine.h"
#include "engine/page_pictures.h"
#include "ingest/pipeline.h"
#include "ingest/worker.h"
#include "retrieve/searcher.h"

namespace sightline::engine {

/// Thread-safe. Stops its workers when destroyed; unfinished documents stay queued.
class LocalEngine final : public Engine {
 public:
  LocalEngine(Config config, DataFolder folder, Components components, Mode mode);
  ~LocalEngine() override;

  base::Result<std::unique_ptr<Upload>> BeginUpload(const AddOptions& options) override;
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
      const PageRequest& request, const base::CancelToken& cancel) override;
  base::Result<SystemInfo> GetSystemInfo() override;
  int AddListener(DocumentListener listener) override;
  void RemoveListener(int id) override;
  base::Status AnnounceUrl(std::string_view url) override;

  /// Makes the document of an upload whose bytes are stored; called by the upload.
  base::Result<AddedDocument> FinishUpload(const AddOptions& options, const std::string& sha256,
                                           std::int64_t size_bytes);

 private:
  /// Removes the bytes unless a document or unit still has them.
  base::Status RemoveUnusedBlob(const std::string& sha256) SIGHTLINE_REQUIRES(blobs_mutex_);

  const Config config_;
  DataFolder folder_;
  Components components_;
  base::UlidGenerator ulids_;
  DocumentEvents events_;
  Compactor compactor_;
  ingest::Pipeline pipeline_;
  ingest::IngestWorkers workers_;
  const retrieve::Searcher searcher_;
  PagePictures page_pictures_;
  base::Mutex blobs_mutex_;  ///< Between an upload that reuses a blob and a removal that drops it.
};

}  // namespace sightline::engine
