#include "store/local_store.h"

#include <algorithm>
#include <set>
#include <utility>

#include "index/inspect.h"
#include "store/folder_blob_store.h"
#include "store/fts5_lexical_index.h"
#include "store/segment_vector_store.h"
#include "store/sqlite_catalog.h"

namespace sightline::store {
namespace {

using base::OkStatus;
using base::Result;
using base::Status;

io::FileSystem& FilesOf(const LocalStoreOptions& options) {
  return options.files != nullptr ? *options.files : io::PosixFileSystem();
}

/// Makes a directory and those above it; the names of those that it makes are durable.
Status MakeDurableDirectory(io::FileSystem& files, const std::string& path) {
  std::vector<std::string> parents;  // Of what is missing.
  for (std::string at = path; at != "." && at != "/"; at = io::ParentPath(at)) {
    SIGHTLINE_ASSIGN_OR_RETURN(const bool exists, files.Exists(at));
    if (exists) break;
    parents.push_back(io::ParentPath(at));
  }
  SIGHTLINE_RETURN_IF_ERROR(files.CreateDirectories(path));
  for (const std::string& parent : parents) {
    SIGHTLINE_RETURN_IF_ERROR(files.SyncDirectory(parent));
  }
  return OkStatus();
}

/// Removes blobs that no row refers to.
Status CollectBlobs(LocalStore& store) {
  SIGHTLINE_ASSIGN_OR_RETURN(const auto live_list, store.catalog->LiveBlobs());
  const std::set<std::string> live(live_list.begin(), live_list.end());
  SIGHTLINE_ASSIGN_OR_RETURN(const auto stored, store.blobs->List());
  for (const std::string& sha256 : stored) {
    if (!live.contains(sha256)) SIGHTLINE_RETURN_IF_ERROR(store.blobs->Remove(sha256));
  }
  return OkStatus();
}

}  // namespace

Result<LocalStore> OpenLocalStore(const LocalStoreOptions& options) {
  io::FileSystem& files = FilesOf(options);
  const base::Clock& clock = options.clock != nullptr ? *options.clock : base::SystemClock();
  SIGHTLINE_RETURN_IF_ERROR(MakeDurableDirectory(files, options.data_dir));
  const std::string path = options.catalog_path.empty()
                               ? io::JoinPath(options.data_dir, "catalog.sqlite")
                               : options.catalog_path;
  LocalStore store;
  SIGHTLINE_ASSIGN_OR_RETURN(auto catalog, SqliteCatalog::Open(path, clock));
  store.database = &catalog->database();
  store.catalog = std::move(catalog);
  SIGHTLINE_ASSIGN_OR_RETURN(store.blobs,
                             FolderBlobStore::Open(files, io::JoinPath(options.data_dir, "blobs")));
  SIGHTLINE_ASSIGN_OR_RETURN(store.vectors,
                             SegmentVectorStore::Open(files, options.data_dir, options.segments));
  store.lexical = std::make_unique<Fts5LexicalIndex>(*store.database);
  SIGHTLINE_ASSIGN_OR_RETURN(const auto live, store.catalog->LiveSegmentFiles());
  SIGHTLINE_RETURN_IF_ERROR(store.vectors->CollectGarbage(live));
  SIGHTLINE_RETURN_IF_ERROR(CollectBlobs(store));
  return store;
}

Result<std::vector<std::string>> CheckFiles(const LocalStoreOptions& options, Catalog& catalog,
                                            BlobStore& blobs) {
  std::vector<std::string> findings;
  SIGHTLINE_ASSIGN_OR_RETURN(const auto segments, catalog.LiveSegmentFiles());
  for (const std::string& file : segments) {
    const Status status =
        index::InspectSegment(FilesOf(options), io::JoinPath(options.data_dir, file)).status();
    if (!status.ok()) findings.push_back(status.message());
  }
  SIGHTLINE_ASSIGN_OR_RETURN(const auto live, catalog.LiveBlobs());
  for (const std::string& sha256 : live) {
    const auto size_bytes = blobs.Size(sha256);
    if (!size_bytes.ok()) findings.push_back(size_bytes.status().message());
  }
  return findings;
}

}  // namespace sightline::store
