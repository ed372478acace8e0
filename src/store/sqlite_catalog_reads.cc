// What readers ask the catalog for. Writes are in sqlite_catalog.cc.
#include <algorithm>
#include <charconv>

#include "store/catalog_rows.h"
#include "store/catalog_writes.h"
#include "store/filter_sql.h"
#include "store/sqlite_catalog.h"
#include "store/stored_names.h"

namespace sightline::store {
namespace {

using base::OkStatus;
using base::Result;
using base::Status;

constexpr std::size_t kCachedFilters = 64;
constexpr int kMaxListed = 1'000;

std::string SelectDocuments(std::string_view rest) {
  return "SELECT " + std::string(kDocumentColumns) +
         " FROM documents d JOIN collections c ON c.id = d.collection_id " + std::string(rest);
}

std::string SelectUnits(std::string_view rest) {
  return "SELECT " + std::string(kUnitColumns) +
         " FROM units u JOIN documents d ON d.key = u.document_key " + std::string(rest);
}

Result<std::int64_t> ParseCursor(const std::string& cursor) {
  std::int64_t key = 0;
  const auto [end, error] = std::from_chars(cursor.data(), cursor.data() + cursor.size(), key);
  if (error != std::errc() || end != cursor.data() + cursor.size() || key < 1) {
    return base::InvalidArgument("the cursor is not one that was given: '" + CleanText(cursor) +
                                 "'");
  }
  return key;
}

Result<std::int64_t> CommitNumber(SqliteConnection& connection, std::int64_t collection_id) {
  SIGHTLINE_ASSIGN_OR_RETURN(
      SqliteStatement select,
      connection.Prepare("SELECT commit_number FROM collections WHERE id = ?1"));
  SIGHTLINE_ASSIGN_OR_RETURN(const bool row, select.Bind(collection_id).Step());
  return row ? select.Int(0) : 0;
}

Status ReadSegments(SqliteConnection& connection, std::int64_t collection_id,
                    std::string_view collection, std::vector<SegmentRef>& segments) {
  SIGHTLINE_ASSIGN_OR_RETURN(
      SqliteStatement select,
      connection.Prepare("SELECT id, space_id, file, units, vectors, size_bytes, "
                         "first_unit_id, last_unit_id, clean_until FROM segments WHERE "
                         "collection_id = ?1 ORDER BY id"));
  select.Bind(collection_id);
  while (true) {
    SIGHTLINE_ASSIGN_OR_RETURN(const bool row, select.Step());
    if (!row) return OkStatus();
    SegmentRef segment;
    segment.id = select.Int(0);
    segment.collection = collection;
    segment.space_id = select.Text(1);
    segment.file = select.Text(2);
    segment.units = select.Int(3);
    segment.vectors = select.Int(4);
    segment.size_bytes = select.Int(5);
    segment.first_unit = select.Int(6);
    segment.last_unit = select.Int(7);
    segment.clean_until = select.Int(8);
    segments.push_back(std::move(segment));
  }
}

Result<std::shared_ptr<const index::UnitSet>> ReadDeleted(SqliteConnection& connection,
                                                          std::int64_t collection_id) {
  auto deleted = std::make_shared<index::UnitSet>();
  SIGHTLINE_ASSIGN_OR_RETURN(
      SqliteStatement select,
      connection.Prepare("SELECT first_id, last_id FROM deleted_units WHERE collection_id = ?1"));
  select.Bind(collection_id);
  while (true) {
    SIGHTLINE_ASSIGN_OR_RETURN(const bool row, select.Step());
    if (!row) return std::shared_ptr<const index::UnitSet>(std::move(deleted));
    for (UnitId id = select.Int(0); id <= select.Int(1); ++id) deleted->Insert(id);
  }
}

Result<std::vector<Unit>> ReadUnits(SqliteStatement& select) {
  std::vector<Unit> units;
  while (true) {
    SIGHTLINE_ASSIGN_OR_RETURN(const bool row, select.Step());
    if (!row) return units;
    SIGHTLINE_ASSIGN_OR_RETURN(Unit unit, ReadUnit(select));
    units.push_back(std::move(unit));
  }
}

}  // namespace

Result<Document> SqliteCatalog::GetDocument(std::string_view id) {
  Document document;
  const Status read = database_->Read([&](SqliteConnection& connection) -> Status {
    SIGHTLINE_ASSIGN_OR_RETURN(SqliteStatement select,
                               connection.Prepare(SelectDocuments("WHERE d.id = ?1")));
    SIGHTLINE_ASSIGN_OR_RETURN(const bool row, select.Bind(CleanText(id)).Step());
    if (!row) return base::NotFound("no such document: " + CleanText(id));
    SIGHTLINE_ASSIGN_OR_RETURN(document, ReadDocument(select));
    return OkStatus();
  });
  if (!read.ok()) return read;
  return document;
}

Result<std::optional<Document>> SqliteCatalog::FindByDigest(std::string_view collection,
                                                            std::string_view blob_sha256) {
  std::optional<Document> document;
  const Status read = database_->Read([&](SqliteConnection& connection) -> Status {
    SIGHTLINE_ASSIGN_OR_RETURN(
        SqliteStatement select,
        connection.Prepare(SelectDocuments("WHERE c.name = ?1 AND d.blob_sha256 = ?2")));
    SIGHTLINE_ASSIGN_OR_RETURN(const bool row,
                               select.Bind(CleanText(collection), CleanText(blob_sha256)).Step());
    if (!row) return OkStatus();
    SIGHTLINE_ASSIGN_OR_RETURN(document, ReadDocument(select));
    return OkStatus();
  });
  if (!read.ok()) return read;
  return document;
}

Result<DocumentPage> SqliteCatalog::ListDocuments(const DocumentQuery& query) {
  if (query.limit < 1 || query.limit > kMaxListed) {
    return base::InvalidArgument("the limit must be 1 to 1000: " + std::to_string(query.limit));
  }
  std::int64_t before = std::numeric_limits<std::int64_t>::max();
  if (!query.cursor.empty()) {
    SIGHTLINE_ASSIGN_OR_RETURN(before, ParseCursor(query.cursor));
  }
  DocumentPage page;
  const Status read = database_->Read([&](SqliteConnection& connection) -> Status {
    SIGHTLINE_ASSIGN_OR_RETURN(
        SqliteStatement select,
        connection.Prepare(SelectDocuments(
            "WHERE c.name = ?1 AND d.key < ?2 AND (?3 = '' OR d.state = ?3) AND (?4 = '' OR EXISTS "
            "(SELECT 1 FROM json_each(d.tags) t WHERE t.value = ?4)) AND (?5 = '' OR d.kind = ?5) "
            "ORDER BY d.key DESC LIMIT ?6")));
    select.Bind(CleanText(query.collection), before, query.state ? StoredName(*query.state) : "",
                CleanText(query.tag), CleanText(query.kind), query.limit + 1);
    std::int64_t last_key = 0;
    while (true) {
      SIGHTLINE_ASSIGN_OR_RETURN(const bool row, select.Step());
      if (!row) return OkStatus();
      if (page.documents.size() == static_cast<std::size_t>(query.limit)) {
        page.next_cursor = std::to_string(last_key);
        return OkStatus();
      }
      SIGHTLINE_ASSIGN_OR_RETURN(Document document, ReadDocument(select));
      page.documents.push_back(std::move(document));
      last_key = select.Int(kDocumentKeyColumn);
    }
  });
  if (!read.ok()) return read;
  return page;
}

Status SqliteCatalog::ReadMissing(std::span<const UnitId> ids,
                                  std::span<std::shared_ptr<const Unit>> units) {
  const std::uint64_t generation = unit_cache_.generation();
  return database_->Read([&](SqliteConnection& connection) -> Status {
    SIGHTLINE_ASSIGN_OR_RETURN(SqliteStatement select,
                               connection.Prepare(SelectUnits("WHERE u.id = ?1")));
    for (std::size_t i = 0; i < ids.size(); ++i) {
      if (units[i] != nullptr) continue;
      SIGHTLINE_ASSIGN_OR_RETURN(const bool row, select.Bind(ids[i]).Step());
      if (row) {
        SIGHTLINE_ASSIGN_OR_RETURN(Unit unit, ReadUnit(select));
        units[i] = std::make_shared<const Unit>(std::move(unit));
        unit_cache_.Keep(units[i], generation);
      }
      select.Reset();
    }
    return OkStatus();
  });
}

Result<std::vector<Unit>> SqliteCatalog::GetUnits(std::span<const UnitId> ids) {
  std::vector<std::shared_ptr<const Unit>> found;
  found.reserve(ids.size());
  for (const UnitId id : ids) found.push_back(unit_cache_.Find(id));
  if (std::find(found.begin(), found.end(), nullptr) != found.end()) {
    SIGHTLINE_RETURN_IF_ERROR(ReadMissing(ids, found));
  }
  std::vector<Unit> units;
  units.reserve(found.size());
  for (const std::shared_ptr<const Unit>& unit : found) {
    if (unit != nullptr) units.push_back(*unit);
  }
  return units;
}

Result<std::vector<Unit>> SqliteCatalog::ListUnits(const UnitQuery& query) {
  if (query.limit < 0 || query.offset < 0) {
    return base::InvalidArgument("limit and offset must not be negative");
  }
  std::vector<Unit> units;
  const Status read = database_->Read([&](SqliteConnection& connection) -> Status {
    SIGHTLINE_ASSIGN_OR_RETURN(
        SqliteStatement select,
        connection.Prepare(SelectUnits(
            "WHERE d.id = ?1 AND (?2 = 0 OR u.page = ?2) AND (?3 < 0 OR u.end_ms > ?3) AND "
            "(?4 < 0 OR (u.start_ms >= 0 AND u.start_ms < ?4)) ORDER BY u.ordinal, u.id LIMIT "
            "?5 OFFSET ?6")));
    select.Bind(CleanText(query.document_id), query.page, query.from_ms, query.to_ms, query.limit,
                query.offset);
    SIGHTLINE_ASSIGN_OR_RETURN(units, ReadUnits(select));
    return OkStatus();
  });
  if (!read.ok()) return read;
  return units;
}

Result<std::shared_ptr<const Snapshot>> SqliteCatalog::GetSnapshot(std::string_view collection) {
  std::shared_ptr<const Snapshot> known;
  {
    const base::MutexLock lock(cache_mutex_);
    const auto found = snapshots_.find(collection);
    if (found != snapshots_.end()) known = found->second;
  }
  Snapshot snapshot;
  bool unchanged = false;
  const Status read = database_->Read([&](SqliteConnection& connection) -> Status {
    SIGHTLINE_ASSIGN_OR_RETURN(const auto id, FindCollection(connection, collection));
    if (!id) {
      snapshot.deleted = std::make_shared<index::UnitSet>();
      return OkStatus();
    }
    SIGHTLINE_ASSIGN_OR_RETURN(snapshot.commit_number, CommitNumber(connection, *id));
    unchanged = known != nullptr && known->commit_number == snapshot.commit_number;
    if (unchanged) return OkStatus();
    SIGHTLINE_RETURN_IF_ERROR(ReadSegments(connection, *id, collection, snapshot.segments));
    SIGHTLINE_ASSIGN_OR_RETURN(snapshot.deleted, ReadDeleted(connection, *id));
    return OkStatus();
  });
  if (!read.ok()) return read;
  if (unchanged) return known;
  return Remember(std::string(collection), std::move(snapshot));
}

std::shared_ptr<const Snapshot> SqliteCatalog::Remember(const std::string& collection,
                                                        Snapshot snapshot) {
  const base::MutexLock lock(cache_mutex_);
  std::shared_ptr<const Snapshot>& slot = snapshots_[collection];
  // Two readers may have read at once; the newer stays, and both hold the same `in_use`.
  if (slot != nullptr && slot->commit_number == snapshot.commit_number) return slot;
  for (SegmentRef& segment : snapshot.segments) {
    if (slot != nullptr) {
      const auto same = std::find_if(slot->segments.begin(), slot->segments.end(),
                                     [&](const SegmentRef& old) { return old.id == segment.id; });
      if (same != slot->segments.end()) segment.in_use = same->in_use;
    }
    if (segment.in_use == nullptr) segment.in_use = std::make_shared<int>(0);
  }
  auto fresh = std::make_shared<const Snapshot>(std::move(snapshot));
  if (slot == nullptr || slot->commit_number < fresh->commit_number) slot = fresh;
  return fresh;
}

Result<std::shared_ptr<const index::UnitSet>> SqliteCatalog::ResolveFilter(
    std::string_view collection, const Filter& filter) {
  if (filter.IsEmpty()) return std::shared_ptr<const index::UnitSet>();
  SIGHTLINE_ASSIGN_OR_RETURN(const FilterSql sql, ToSql(filter));
  std::shared_ptr<const index::UnitSet> units;
  const Status read = database_->Read([&](SqliteConnection& connection) -> Status {
    auto found = std::make_shared<index::UnitSet>();
    SIGHTLINE_ASSIGN_OR_RETURN(const auto id, FindCollection(connection, collection));
    if (!id) {
      units = std::move(found);
      return OkStatus();
    }
    SIGHTLINE_ASSIGN_OR_RETURN(const std::int64_t number, CommitNumber(connection, *id));
    const std::string key = std::to_string(*id) + ":" + std::to_string(number) + ":" + sql.Key();
    units = FindFilter(key);
    if (units != nullptr) return OkStatus();
    SIGHTLINE_ASSIGN_OR_RETURN(SqliteStatement select, connection.PrepareOnce(sql.text));
    sql.Bind(select, *id);
    while (true) {
      SIGHTLINE_ASSIGN_OR_RETURN(const bool row, select.Step());
      if (!row) break;
      found->Insert(select.Int(0));
    }
    units = std::move(found);
    RememberFilter(key, units);
    return OkStatus();
  });
  if (!read.ok()) return read;
  return units;
}

std::shared_ptr<const index::UnitSet> SqliteCatalog::FindFilter(const std::string& key) {
  const base::MutexLock lock(cache_mutex_);
  for (auto entry = filters_.begin(); entry != filters_.end(); ++entry) {
    if (entry->key != key) continue;
    filters_.splice(filters_.begin(), filters_, entry);
    return filters_.front().units;
  }
  return nullptr;
}

void SqliteCatalog::RememberFilter(const std::string& key,
                                   std::shared_ptr<const index::UnitSet> units) {
  const base::MutexLock lock(cache_mutex_);
  filters_.push_front({key, std::move(units)});
  if (filters_.size() > kCachedFilters) filters_.pop_back();
}

Result<CatalogCounts> SqliteCatalog::Counts() {
  CatalogCounts counts;
  const Status read = database_->Read([&](SqliteConnection& connection) -> Status {
    SIGHTLINE_ASSIGN_OR_RETURN(
        SqliteStatement select,
        connection.Prepare(
            "SELECT (SELECT count(*) FROM documents), "
            "(SELECT count(*) FROM documents WHERE state = 'ready'), "
            "(SELECT count(*) FROM documents WHERE state = 'failed'), "
            "(SELECT count(*) FROM units), (SELECT coalesce(sum(vectors), 0) FROM segments)"));
    SIGHTLINE_ASSIGN_OR_RETURN(const bool row, select.Step());
    if (!row) return base::DataLoss("the catalog cannot count");
    counts = {select.Int(0), select.Int(1), select.Int(2), select.Int(3), select.Int(4)};
    return OkStatus();
  });
  if (!read.ok()) return read;
  return counts;
}

Result<std::vector<std::string>> SqliteCatalog::ReadTexts(std::string_view sql) {
  std::vector<std::string> texts;
  const Status read = database_->Read([&](SqliteConnection& connection) -> Status {
    SIGHTLINE_ASSIGN_OR_RETURN(SqliteStatement select, connection.Prepare(sql));
    while (true) {
      SIGHTLINE_ASSIGN_OR_RETURN(const bool row, select.Step());
      if (!row) return OkStatus();
      texts.emplace_back(select.Text(0));
    }
  });
  if (!read.ok()) return read;
  return texts;
}

Result<std::vector<std::string>> SqliteCatalog::LiveSegmentFiles() {
  return ReadTexts("SELECT file FROM segments ORDER BY file");
}

Result<std::vector<std::string>> SqliteCatalog::LiveBlobs() {
  return ReadTexts(
      "SELECT blob_sha256 FROM documents UNION SELECT sha256 FROM document_blobs UNION "
      "SELECT preview_sha256 FROM documents WHERE preview_sha256 <> ''");
}

}  // namespace sightline::store
