// All embedded adapters on one data folder.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "base/clock.h"
#include "io/file_system.h"
#include "store/blob_store.h"
#include "store/catalog.h"
#include "store/lexical_index.h"
#include "store/segment_vector_store.h"
#include "store/sqlite_database.h"
#include "store/vector_store.h"

namespace sightline::store {

/// Where everything is.
struct LocalStoreOptions {
  /// Holds catalog.sqlite, blobs/ and segments/. The caller has locked it.
  std::string data_dir;
  /// Where the catalog's database is; empty: `data_dir`/catalog.sqlite. It is always a real file.
  std::string catalog_path = {};
  /// For blobs and segments; null: the machine's.
  io::FileSystem* files = nullptr;
  /// Null: the machine's.
  const base::Clock* clock = nullptr;
  SegmentStoreOptions segments = {};
};

/// The ports of one data folder. `catalog` owns the database that `lexical` (and the job queue,
/// through `database`) use: it must be destroyed last.
struct LocalStore {
  std::unique_ptr<Catalog> catalog;
  std::unique_ptr<BlobStore> blobs;
  std::unique_ptr<VectorStore> vectors;
  std::unique_ptr<LexicalIndex> lexical;
  SqliteDatabase* database = nullptr;
};

/// Makes or opens the folder, brings the catalog to the current schema and collects garbage:
/// segment files and blobs that no row refers to.
base::Result<LocalStore> OpenLocalStore(const LocalStoreOptions& options);

/// Whether every file that the catalog refers to is intact (segments) or there
/// (blobs); each finding is one line. Reads all segments.
base::Result<std::vector<std::string>> CheckFiles(const LocalStoreOptions& options,
                                                  Catalog& catalog, BlobStore& blobs);

}  // namespace sightline::store
