// The catalog in SQLite: the embedded default.
#pragma once

#include <cstdint>
#include <list>
#include <map>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/clock.h"
#include "base/mutex.h"
#include "base/ulid.h"
#include "store/catalog.h"
#include "store/sqlite_database.h"
#include "store/unit_cache.h"

namespace sightline::store {

/// Thread-safe. Owns the database that the text index and the job queue share with it.
class SqliteCatalog final : public Catalog {
 public:
  /// Opens or makes the catalog at `path` and brings it to the current schema. `clock` must live
  /// longer.
  static base::Result<std::unique_ptr<SqliteCatalog>> Open(const std::string& path,
                                                           const base::Clock& clock);

  base::Status CreateDocument(const Document& document) override;
  base::Result<Document> GetDocument(std::string_view id) override;
  base::Result<DocumentPage> ListDocuments(const DocumentQuery& query) override;
  base::Result<std::optional<Document>> FindByDigest(std::string_view collection,
                                                     std::string_view blob_sha256) override;
  base::Status UpdateDocument(const Document& document) override;
  base::Result<UnitId> AllocateUnitIds(std::int64_t count) override;
  base::Result<std::int64_t> Commit(const DocumentCommit& commit) override;
  base::Result<std::int64_t> RemoveDocument(std::string_view id) override;
  base::Status ReplaceSegments(std::span<const SegmentRef> replaced,
                               const SegmentRef& merged) override;
  base::Result<std::vector<Unit>> GetUnits(std::span<const UnitId> ids) override;
  base::Result<std::vector<Unit>> ListUnits(const UnitQuery& query) override;
  base::Result<std::shared_ptr<const Snapshot>> GetSnapshot(std::string_view collection) override;
  base::Result<std::shared_ptr<const index::UnitSet>> ResolveFilter(std::string_view collection,
                                                                    const Filter& filter) override;
  base::Result<CatalogCounts> Counts() override;
  base::Result<std::vector<std::string>> LiveSegmentFiles() override;
  base::Result<std::vector<std::string>> LiveBlobs() override;
  base::Result<std::vector<std::string>> CheckIntegrity() override;

  /// The database, for the other adapters that live in it; they must not outlive the catalog.
  SqliteDatabase& database() { return *database_; }

 private:
  struct CachedFilter {
    std::string key;
    std::shared_ptr<const index::UnitSet> units;
  };

  SqliteCatalog(std::unique_ptr<SqliteDatabase> database, const base::Clock& clock);
  base::Result<std::vector<std::string>> ReadTexts(std::string_view sql);
  /// Reads those of `ids` whose place in `units` is null; it stays null when there is no such unit.
  base::Status ReadMissing(std::span<const UnitId> ids,
                           std::span<std::shared_ptr<const Unit>> units);
  std::shared_ptr<const Snapshot> Remember(const std::string& collection, Snapshot snapshot);
  std::shared_ptr<const index::UnitSet> FindFilter(const std::string& key);
  void RememberFilter(const std::string& key, std::shared_ptr<const index::UnitSet> units);

  const base::Clock& clock_;
  const std::unique_ptr<SqliteDatabase> database_;
  base::UlidGenerator job_ids_;
  UnitCache unit_cache_;
  base::Mutex cache_mutex_;
  std::map<std::string, std::shared_ptr<const Snapshot>, std::less<>> snapshots_
      SIGHTLINE_GUARDED_BY(cache_mutex_);
  std::list<CachedFilter> filters_ SIGHTLINE_GUARDED_BY(cache_mutex_);  // Newest first.
};

}  // namespace sightline::store
