#include "store/schema.h"

#include <array>

namespace sightline::store {
namespace {

using base::OkStatus;
using base::Status;

/// "SGHT": says to other programs, such as file(1), whose database this is.
constexpr std::int64_t kApplicationId = 0x53474854;

// Large texts stand last in a row, so that a scan of the other columns does not read them.
constexpr const char* kVersion1 = R"sql(
CREATE TABLE counters(name TEXT PRIMARY KEY, value INTEGER NOT NULL) STRICT, WITHOUT ROWID;
INSERT INTO counters VALUES ('next_unit_id', 1), ('commit_number', 0);

CREATE TABLE collections(
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  name TEXT NOT NULL UNIQUE,
  commit_number INTEGER NOT NULL DEFAULT 0) STRICT;

CREATE TABLE documents(
  key INTEGER PRIMARY KEY AUTOINCREMENT,
  id TEXT NOT NULL UNIQUE,
  collection_id INTEGER NOT NULL REFERENCES collections(id),
  state TEXT NOT NULL, kind TEXT NOT NULL, media_type TEXT NOT NULL, language TEXT NOT NULL,
  blob_sha256 TEXT NOT NULL, size_bytes INTEGER NOT NULL, preview_sha256 TEXT NOT NULL,
  page_count INTEGER NOT NULL, duration_ms INTEGER NOT NULL,
  width INTEGER NOT NULL, height INTEGER NOT NULL,
  revision INTEGER NOT NULL, progress_done INTEGER NOT NULL, progress_total INTEGER NOT NULL,
  created_at_ms INTEGER NOT NULL, updated_at_ms INTEGER NOT NULL,
  file_name TEXT NOT NULL, title TEXT NOT NULL,
  reason_code TEXT NOT NULL, reason TEXT NOT NULL,
  tags TEXT NOT NULL, warnings TEXT NOT NULL, metadata TEXT NOT NULL,
  UNIQUE(collection_id, blob_sha256)) STRICT;
CREATE INDEX documents_by_state ON documents(state);

CREATE TABLE units(
  id INTEGER PRIMARY KEY,
  document_key INTEGER NOT NULL REFERENCES documents(key) ON DELETE CASCADE,
  parent_id INTEGER NOT NULL, kind TEXT NOT NULL, ordinal INTEGER NOT NULL,
  source TEXT NOT NULL, language TEXT NOT NULL, block TEXT NOT NULL,
  page INTEGER NOT NULL, start_ms INTEGER NOT NULL, end_ms INTEGER NOT NULL,
  key_frame_ms INTEGER NOT NULL,
  box_x REAL NOT NULL, box_y REAL NOT NULL, box_width REAL NOT NULL, box_height REAL NOT NULL,
  page_width REAL NOT NULL, page_height REAL NOT NULL, page_label TEXT NOT NULL,
  preview_sha256 TEXT NOT NULL, preview_width INTEGER NOT NULL, preview_height INTEGER NOT NULL,
  concepts TEXT NOT NULL, text TEXT NOT NULL) STRICT;
CREATE INDEX units_by_document ON units(document_key, ordinal);

CREATE TABLE segments(
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  collection_id INTEGER NOT NULL REFERENCES collections(id),
  space_id TEXT NOT NULL, file TEXT NOT NULL UNIQUE,
  units INTEGER NOT NULL, vectors INTEGER NOT NULL, size_bytes INTEGER NOT NULL,
  first_unit_id INTEGER NOT NULL, last_unit_id INTEGER NOT NULL,
  clean_until INTEGER NOT NULL) STRICT;
CREATE INDEX segments_by_collection ON segments(collection_id);

-- Runs of unit ids that were removed by one commit and may still be in segments.
CREATE TABLE deleted_units(
  collection_id INTEGER NOT NULL REFERENCES collections(id),
  first_id INTEGER NOT NULL, last_id INTEGER NOT NULL, commit_number INTEGER NOT NULL,
  PRIMARY KEY(collection_id, first_id)) STRICT, WITHOUT ROWID;

CREATE TABLE document_blobs(
  document_key INTEGER NOT NULL REFERENCES documents(key) ON DELETE CASCADE,
  sha256 TEXT NOT NULL, PRIMARY KEY(document_key, sha256)) STRICT, WITHOUT ROWID;

CREATE TABLE jobs(
  key INTEGER PRIMARY KEY AUTOINCREMENT,
  id TEXT NOT NULL UNIQUE,
  kind TEXT NOT NULL, document_id TEXT NOT NULL,
  state TEXT NOT NULL CHECK(state IN ('queued', 'running', 'dead')),
  attempt INTEGER NOT NULL DEFAULT 0, expired_leases INTEGER NOT NULL DEFAULT 0,
  worker TEXT NOT NULL DEFAULT '', reason TEXT NOT NULL DEFAULT '',
  lease_until_ms INTEGER NOT NULL DEFAULT 0, available_at_ms INTEGER NOT NULL,
  created_at_ms INTEGER NOT NULL,
  UNIQUE(kind, document_id)) STRICT;
CREATE INDEX jobs_by_state ON jobs(state, key);
)sql";

constexpr std::array kMigrations = {kVersion1};
static_assert(kMigrations.size() == kSchemaVersion);

base::Result<std::int64_t> ReadNumber(SqliteConnection& connection, std::string_view sql) {
  SIGHTLINE_ASSIGN_OR_RETURN(SqliteStatement statement, connection.Prepare(sql));
  SIGHTLINE_ASSIGN_OR_RETURN(const bool row, statement.Step());
  return row ? statement.Int(0) : 0;
}

base::Result<std::int64_t> CurrentVersion(SqliteConnection& connection, const std::string& path) {
  SIGHTLINE_ASSIGN_OR_RETURN(const std::int64_t tables,
                             ReadNumber(connection, "SELECT count(*) FROM sqlite_schema"));
  if (tables == 0) return 0;
  SIGHTLINE_ASSIGN_OR_RETURN(const std::int64_t application,
                             ReadNumber(connection, "PRAGMA application_id"));
  if (application != kApplicationId) {
    return base::DataLoss("this database is no Sightline catalog: " + path);
  }
  return ReadNumber(connection, "SELECT max(version) FROM schema_versions");
}

}  // namespace

Status Migrate(SqliteDatabase& database, std::int64_t now_ms) {
  return RunMigrations(database, kMigrations, now_ms);
}

Status RunMigrations(SqliteDatabase& database, std::span<const char* const> steps,
                     std::int64_t now_ms) {
  const auto last = static_cast<std::int64_t>(steps.size());
  return database.Write([&](SqliteConnection& connection) -> Status {
    SIGHTLINE_ASSIGN_OR_RETURN(const std::int64_t version,
                               CurrentVersion(connection, database.path()));
    if (version > last) {
      return base::FailedPrecondition(
          "the catalog is from a later version of Sightline; update the program: schema " +
          std::to_string(version) + ", known up to " + std::to_string(last) + ": " +
          database.path());
    }
    if (version == 0) {
      SIGHTLINE_RETURN_IF_ERROR(connection.Script(
          "PRAGMA application_id=" + std::to_string(kApplicationId) +
          "; CREATE TABLE schema_versions(version INTEGER PRIMARY KEY, applied_at_ms INTEGER NOT "
          "NULL) STRICT;"));
    }
    for (auto next = static_cast<std::size_t>(version); next < steps.size(); ++next) {
      SIGHTLINE_RETURN_IF_ERROR(connection.Script(steps[next]));
      SIGHTLINE_RETURN_IF_ERROR(
          connection.Run("INSERT INTO schema_versions VALUES (?1, ?2)", next + 1, now_ms));
    }
    return OkStatus();
  });
}

std::string TextIndexName(std::int64_t collection_id) {
  return "fts_" + std::to_string(collection_id);
}

Status CreateTextIndex(SqliteConnection& connection, std::int64_t collection_id) {
  return connection.Script("CREATE VIRTUAL TABLE " + TextIndexName(collection_id) +
                           " USING fts5(terms, tokenize='sightline_spaces')");
}

}  // namespace sightline::store
