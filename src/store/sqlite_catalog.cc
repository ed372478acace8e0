// Documents, commits and the other writes; what readers ask for is in sqlite_catalog_reads.cc.
#include "store/sqlite_catalog.h"

#include <limits>

#include "base/random.h"
#include "store/catalog_rows.h"
#include "store/catalog_writes.h"
#include "store/schema.h"

namespace sightline::store {
namespace {

constexpr std::uint64_t kUnitCacheBytes = 32 << 20;

}  // namespace

using base::OkStatus;
using base::Result;
using base::Status;

Result<std::unique_ptr<SqliteCatalog>> SqliteCatalog::Open(const std::string& path,
                                                           const base::Clock& clock) {
  SIGHTLINE_ASSIGN_OR_RETURN(auto database, SqliteDatabase::Open(path));
  SIGHTLINE_RETURN_IF_ERROR(Migrate(*database, base::UnixMillis(clock.UtcNow())));
  return std::unique_ptr<SqliteCatalog>(new SqliteCatalog(std::move(database), clock));
}

SqliteCatalog::SqliteCatalog(std::unique_ptr<SqliteDatabase> database, const base::Clock& clock)
    : clock_(clock),
      database_(std::move(database)),
      job_ids_(clock, base::SystemRandom()),
      unit_cache_(kUnitCacheBytes) {}

Status SqliteCatalog::CreateDocument(const Document& document) {
  SIGHTLINE_RETURN_IF_ERROR(ValidateDocument(document));
  return database_->Write([&](SqliteConnection& connection) -> Status {
    SIGHTLINE_ASSIGN_OR_RETURN(const std::int64_t collection,
                               MakeCollection(connection, document.collection));
    {
      SIGHTLINE_ASSIGN_OR_RETURN(
          SqliteStatement same,
          connection.Prepare("SELECT id FROM documents WHERE (collection_id = ?1 AND blob_sha256 = "
                             "?2) OR id = ?3 LIMIT 1"));
      SIGHTLINE_ASSIGN_OR_RETURN(const bool found,
                                 same.Bind(collection, document.blob_sha256, document.id).Step());
      if (found) return base::AlreadyExists(std::string(same.Text(0)));
    }
    Document queued = document;
    queued.state = DocumentState::kQueued;
    SIGHTLINE_RETURN_IF_ERROR(InsertDocument(connection, collection, queued));
    const std::int64_t now_ms = base::UnixMillis(clock_.UtcNow());
    return connection.Run(
        "INSERT INTO jobs(id, kind, document_id, state, available_at_ms, created_at_ms) "
        "VALUES (?1, 'ingest', ?2, 'queued', ?3, ?3)",
        job_ids_.Next().ToString(), document.id, now_ms);
  });
}

Status SqliteCatalog::UpdateDocument(const Document& document) {
  SIGHTLINE_RETURN_IF_ERROR(ValidateDocument(document));
  return database_->Write([&](SqliteConnection& connection) -> Status {
    SIGHTLINE_ASSIGN_OR_RETURN(
        const bool found,
        UpdateDocumentRow(connection, document, base::UnixMillis(clock_.UtcNow())));
    if (!found) return base::NotFound("no such document: " + document.id);
    SIGHTLINE_ASSIGN_OR_RETURN(const DocumentKeys keys, FindDocumentKeys(connection, document.id));
    if (keys.revision == 0) return OkStatus();
    // Its units can be found already, and filters look at what may just have changed.
    return NextCommitNumber(connection, keys.collection).status();
  });
}

Result<UnitId> SqliteCatalog::AllocateUnitIds(std::int64_t count) {
  if (count < 1 || count > std::numeric_limits<std::int32_t>::max()) {
    return base::InvalidArgument("the number of unit ids is out of range: " +
                                 std::to_string(count));
  }
  UnitId first = 0;
  const Status written = database_->Write([&](SqliteConnection& connection) -> Status {
    SIGHTLINE_ASSIGN_OR_RETURN(
        SqliteStatement bump,
        connection.Prepare("UPDATE counters SET value = value + ?1 WHERE name = 'next_unit_id' "
                           "RETURNING value"));
    SIGHTLINE_ASSIGN_OR_RETURN(const bool row, bump.Bind(count).Step());
    if (!row) return base::DataLoss("the catalog has lost its counters");
    first = bump.Int(0) - count;
    return bump.Run();
  });
  if (!written.ok()) return written;
  return first;
}

Result<std::int64_t> SqliteCatalog::Commit(const DocumentCommit& commit) {
  SIGHTLINE_RETURN_IF_ERROR(ValidateCommit(commit));
  std::int64_t number = 0;
  const Status written = database_->Write([&](SqliteConnection& connection) -> Status {
    SIGHTLINE_ASSIGN_OR_RETURN(const DocumentKeys keys,
                               FindDocumentKeys(connection, commit.document.id));
    SIGHTLINE_ASSIGN_OR_RETURN(number, NextCommitNumber(connection, keys.collection));
    SIGHTLINE_RETURN_IF_ERROR(RemoveUnits(connection, keys, number));
    SIGHTLINE_RETURN_IF_ERROR(AddContent(connection, keys, commit, number));
    Document document = commit.document;
    document.state = DocumentState::kReady;
    SIGHTLINE_RETURN_IF_ERROR(
        UpdateDocumentRow(connection, document, base::UnixMillis(clock_.UtcNow())).status());
    SIGHTLINE_RETURN_IF_ERROR(connection.Run(
        "UPDATE documents SET revision = revision + 1 WHERE key = ?1", keys.document));
    return connection.Run("DELETE FROM jobs WHERE kind = 'ingest' AND document_id = ?1",
                          document.id);
  });
  if (!written.ok()) return written;
  unit_cache_.Clear();
  return number;
}

Result<std::int64_t> SqliteCatalog::RemoveDocument(std::string_view id) {
  std::int64_t number = 0;
  const Status written = database_->Write([&](SqliteConnection& connection) -> Status {
    SIGHTLINE_ASSIGN_OR_RETURN(const DocumentKeys keys, FindDocumentKeys(connection, id));
    SIGHTLINE_ASSIGN_OR_RETURN(number, NextCommitNumber(connection, keys.collection));
    SIGHTLINE_RETURN_IF_ERROR(RemoveUnits(connection, keys, number));
    SIGHTLINE_RETURN_IF_ERROR(
        connection.Run("DELETE FROM documents WHERE key = ?1", keys.document));
    return connection.Run("DELETE FROM jobs WHERE document_id = ?1", CleanText(id));
  });
  if (!written.ok()) return written;
  unit_cache_.Clear();
  return number;
}

Status SqliteCatalog::ReplaceSegments(std::span<const SegmentRef> replaced,
                                      const SegmentRef& merged) {
  if (replaced.empty()) return base::InvalidArgument("there is no segment to replace");
  const SegmentRef& first = replaced.front();
  for (const SegmentRef& segment : replaced) {
    if (segment.collection != first.collection || segment.space_id != first.space_id) {
      return base::InvalidArgument("segments of two spaces cannot be one: " +
                                   CleanText(segment.file));
    }
  }
  return database_->Write([&](SqliteConnection& connection) -> Status {
    SIGHTLINE_ASSIGN_OR_RETURN(const auto collection, FindCollection(connection, first.collection));
    if (!collection) return base::NotFound("no such collection: " + CleanText(first.collection));
    for (const SegmentRef& segment : replaced) {
      SIGHTLINE_RETURN_IF_ERROR(
          connection.Run("DELETE FROM segments WHERE id = ?1 AND collection_id = ?2 AND file = ?3",
                         segment.id, *collection, segment.file));
      if (connection.changes() != 1) {
        return base::FailedPrecondition("a segment is not in the catalog any more: " +
                                        CleanText(segment.file));
      }
    }
    if (merged.units > 0) {
      SIGHTLINE_RETURN_IF_ERROR(InsertSegment(connection, *collection, merged, merged.clean_until));
    }
    SIGHTLINE_RETURN_IF_ERROR(ForgetDeletedUnits(connection, *collection));
    return NextCommitNumber(connection, *collection).status();
  });
}

}  // namespace sightline::store
