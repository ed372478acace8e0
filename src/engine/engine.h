// The facade that the server and the command line share.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/deadline.h"
#include "base/result.h"
#include "engine/config.h"
#include "media/image.h"
#include "model/encoder.h"
#include "queue/job_queue.h"
#include "retrieve/search.h"
#include "store/blob_store.h"
#include "store/catalog.h"

namespace sightline::engine {

/// What the owner says of a file.
struct AddOptions {
  std::string file_name;
  std::string collection = "default";
  std::vector<std::string> tags;
  std::string metadata_json = "{}";
};

/// Of a document's tags.
inline constexpr std::size_t kMaxTags = 64;
inline constexpr std::size_t kMaxTagBytes = 128;

/// What became of an upload.
struct AddedDocument {
  store::Document document;
  bool already_there = false;  ///< The collection held these bytes before, and not as failed.
};

/// Receives the bytes of one upload. Dropping it without `Finish` discards them.
class Upload {
 public:
  virtual ~Upload() = default;
  /// The next bytes; `kResourceExhausted` over the limit of a file.
  virtual base::Status Append(std::string_view bytes) = 0;
  /// Stores the bytes and queues the document; nothing may follow.
  virtual base::Result<AddedDocument> Finish() = 0;
};

/// A model of the registry and its state on this machine.
struct ModelInfo {
  std::string name;
  std::string kind;  ///< "text", "image", "ocr", "speech", "dual".
  std::string licence;
  std::string source;
  std::string digest;
  std::string state;        ///< "installed", "missing", "damaged: …".
  bool is_default = false;  ///< Used unless configured otherwise; the others are there on request.
  int dims = 0;
};

/// What an operator wants to see at a glance.
struct SystemInfo {
  std::string version;
  std::string data_dir;
  std::int64_t data_bytes = 0;
  store::CatalogCounts counts;
  queue::QueueCounts queue;
  std::vector<model::EmbeddingSpace> spaces;
  std::vector<ModelInfo> models;
};

/// Widths at which a page can be drawn.
inline constexpr int kMinPageWidthPx = 200;
inline constexpr int kMaxPageWidthPx = 3000;

/// Which page to draw for people to look at, and how large.
struct PageRequest {
  std::string document_id;
  int page_number = 1;  ///< 1-based; a picture is one page.
  int width_px = 0;     ///< From kMinPageWidthPx to kMaxPageWidthPx.
};

/// Called with every change of a document's state or progress, on an engine thread; must be quick.
using DocumentListener = std::function<void(const store::Document&)>;

/// Everything that Sightline does. Thread-safe. Implemented by `LocalEngine` (this process owns the
/// data folder) and by the command line's client of a running server.
class Engine {
 public:
  virtual ~Engine() = default;

  /// Whether documents that wait in the queue are worked on.
  enum class Mode {
    kIngest,  ///< Ingest workers run: `serve`, `add`.
    kLookUp,  ///< Nothing runs in the background: `search`, `documents`.
  };
  /// Opens the data folder and takes its lock. A folder held by another process is
  /// `kFailedPrecondition`, and `LockHolder` tells the URL of its server.
  static base::Result<std::unique_ptr<Engine>> Open(const Config& config, Mode mode);

  /// `kInvalidArgument` for tags, metadata or names over the limits.
  virtual base::Result<std::unique_ptr<Upload>> BeginUpload(const AddOptions& options) = 0;
  /// `kNotFound` for an id that does not exist.
  virtual base::Result<store::Document> GetDocument(std::string_view id) = 0;
  /// Newest first, by pages.
  virtual base::Result<store::DocumentPage> ListDocuments(const store::DocumentQuery& query) = 0;
  /// Removes it from every index and deletes its bytes.
  virtual base::Status RemoveDocument(std::string_view id) = 0;
  /// Puts a failed document back into the queue.
  virtual base::Result<store::Document> RetryDocument(std::string_view id) = 0;
  virtual base::Result<std::vector<store::Unit>> ListUnits(
      const store::Catalog::UnitQuery& query) = 0;
  /// Returns when the document is `ready` or `failed`, or the token says stop.
  virtual base::Result<store::Document> WaitForDocument(std::string_view id,
                                                        const base::CancelToken& cancel) = 0;

  /// See `retrieve::Searcher`.
  virtual base::Result<retrieve::SearchResponse> Search(const retrieve::SearchRequest& request,
                                                        const base::CancelToken& cancel) = 0;

  /// Size of a blob, and a piece of it. Digests come from documents, units and hits.
  virtual base::Result<std::int64_t> BlobSize(std::string_view sha256) = 0;
  virtual base::Result<std::string> ReadBlob(std::string_view sha256, std::int64_t offset,
                                             std::int64_t length) = 0;

  /// A page of a PDF at that width, or a picture that is at most so wide, as JPEG. `kNotFound` for
  /// a page that is not there or cannot be drawn, with the reason. What was drawn lately is kept.
  virtual base::Result<std::shared_ptr<const media::EncodedImage>> DrawPage(
      const PageRequest& request, const base::CancelToken& cancel) = 0;

  /// Opens the models that are not open yet.
  virtual base::Result<SystemInfo> GetSystemInfo() = 0;
  /// Returns an id for `RemoveListener`.
  virtual int AddListener(DocumentListener listener) = 0;
  virtual void RemoveListener(int id) = 0;
  /// Tells others that find the folder locked where to reach this process
  /// ("http://127.0.0.1:7801").
  virtual base::Status AnnounceUrl(std::string_view url) = 0;
};

/// URL in the lock file of a data folder that another process holds; empty when it has no server.
base::Result<std::string> LockHolder(const std::string& data_dir);

/// Folder below a data folder for files that need not outlive the process; emptied whenever the
/// data folder is opened.
std::string TemporaryFolder(const std::string& data_dir);

/// Adds a local file through `BeginUpload`.
base::Result<AddedDocument> AddFile(Engine& engine, const std::string& path, AddOptions options);

}  // namespace sightline::engine
