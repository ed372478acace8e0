#include "store/catalog_writes.h"

#include <set>
#include <vector>

#include "store/catalog_rows.h"
#include "store/schema.h"

namespace sightline::store {
namespace {

using base::OkStatus;
using base::Result;
using base::Status;

struct IdRun {
  UnitId first = 0;
  UnitId last = 0;
};

Result<std::vector<IdRun>> UnitRuns(SqliteConnection& connection, std::int64_t document_key) {
  SIGHTLINE_ASSIGN_OR_RETURN(
      SqliteStatement select,
      connection.Prepare("SELECT id FROM units WHERE document_key = ?1 ORDER BY id"));
  select.Bind(document_key);
  std::vector<IdRun> runs;
  while (true) {
    SIGHTLINE_ASSIGN_OR_RETURN(const bool row, select.Step());
    if (!row) return runs;
    const UnitId id = select.Int(0);
    if (!runs.empty() && runs.back().last + 1 == id) {
      runs.back().last = id;
    } else {
      runs.push_back({id, id});
    }
  }
}

Result<std::int64_t> NextUnitId(SqliteConnection& connection) {
  SIGHTLINE_ASSIGN_OR_RETURN(
      SqliteStatement select,
      connection.Prepare("SELECT value FROM counters WHERE name = 'next_unit_id'"));
  SIGHTLINE_ASSIGN_OR_RETURN(const bool row, select.Step());
  if (!row) return base::DataLoss("the catalog has lost its counters");
  return select.Int(0);
}

Status AddTextRows(SqliteConnection& connection, std::int64_t collection_id,
                   const std::vector<LexicalRow>& rows) {
  SIGHTLINE_ASSIGN_OR_RETURN(SqliteStatement insert,
                             connection.Prepare("INSERT INTO " + TextIndexName(collection_id) +
                                                "(rowid, terms) VALUES (?1, ?2)"));
  for (const LexicalRow& row : rows) {
    SIGHTLINE_RETURN_IF_ERROR(insert.Bind(row.unit_id, CleanText(row.terms)).Run());
  }
  return OkStatus();
}

}  // namespace

Result<DocumentKeys> FindDocumentKeys(SqliteConnection& connection, std::string_view id) {
  SIGHTLINE_ASSIGN_OR_RETURN(
      SqliteStatement select,
      connection.Prepare("SELECT key, collection_id, revision FROM documents WHERE id = ?1"));
  SIGHTLINE_ASSIGN_OR_RETURN(const bool row, select.Bind(CleanText(id)).Step());
  if (!row) return base::NotFound("no such document: " + CleanText(id));
  return DocumentKeys{select.Int(0), select.Int(1), select.Int(2)};
}

Result<std::optional<std::int64_t>> FindCollection(SqliteConnection& connection,
                                                   std::string_view name) {
  SIGHTLINE_ASSIGN_OR_RETURN(SqliteStatement select,
                             connection.Prepare("SELECT id FROM collections WHERE name = ?1"));
  SIGHTLINE_ASSIGN_OR_RETURN(const bool row, select.Bind(CleanText(name)).Step());
  if (!row) return std::optional<std::int64_t>();
  return std::optional<std::int64_t>(select.Int(0));
}

Result<std::int64_t> MakeCollection(SqliteConnection& connection, std::string_view name) {
  SIGHTLINE_ASSIGN_OR_RETURN(const auto known, FindCollection(connection, name));
  if (known) return *known;
  SIGHTLINE_RETURN_IF_ERROR(connection.Run("INSERT INTO collections(name) VALUES (?1)", name));
  const std::int64_t id = connection.last_insert_id();
  SIGHTLINE_RETURN_IF_ERROR(CreateTextIndex(connection, id));
  return id;
}

Result<std::int64_t> NextCommitNumber(SqliteConnection& connection, std::int64_t collection_id) {
  std::int64_t number = 0;
  {
    SIGHTLINE_ASSIGN_OR_RETURN(
        SqliteStatement bump,
        connection.Prepare("UPDATE counters SET value = value + 1 WHERE name = 'commit_number' "
                           "RETURNING value"));
    SIGHTLINE_ASSIGN_OR_RETURN(const bool row, bump.Step());
    if (!row) return base::DataLoss("the catalog has lost its counters");
    number = bump.Int(0);
    SIGHTLINE_RETURN_IF_ERROR(bump.Run());
  }
  SIGHTLINE_RETURN_IF_ERROR(connection.Run(
      "UPDATE collections SET commit_number = ?2 WHERE id = ?1", collection_id, number));
  return number;
}

Status RemoveUnits(SqliteConnection& connection, const DocumentKeys& keys,
                   std::int64_t commit_number) {
  SIGHTLINE_ASSIGN_OR_RETURN(const std::vector<IdRun> runs, UnitRuns(connection, keys.document));
  SIGHTLINE_RETURN_IF_ERROR(
      connection.Run("DELETE FROM " + TextIndexName(keys.collection) +
                         " WHERE rowid IN (SELECT id FROM units WHERE document_key = ?1)",
                     keys.document));
  for (const IdRun& run : runs) {
    SIGHTLINE_RETURN_IF_ERROR(connection.Run("INSERT INTO deleted_units VALUES (?1, ?2, ?3, ?4)",
                                             keys.collection, run.first, run.last, commit_number));
  }
  SIGHTLINE_RETURN_IF_ERROR(
      connection.Run("DELETE FROM units WHERE document_key = ?1", keys.document));
  SIGHTLINE_RETURN_IF_ERROR(
      connection.Run("DELETE FROM document_blobs WHERE document_key = ?1", keys.document));
  return ForgetDeletedUnits(connection, keys.collection);
}

Status AddContent(SqliteConnection& connection, const DocumentKeys& keys,
                  const DocumentCommit& commit, std::int64_t commit_number) {
  SIGHTLINE_ASSIGN_OR_RETURN(const std::int64_t next_id, NextUnitId(connection));
  for (const Unit& unit : commit.units) {
    if (unit.id < 1 || unit.id >= next_id) {
      return base::InvalidArgument("a unit id was never allocated: " + std::to_string(unit.id));
    }
  }
  SIGHTLINE_RETURN_IF_ERROR(InsertUnits(connection, keys.document, commit.units));
  SIGHTLINE_RETURN_IF_ERROR(AddTextRows(connection, keys.collection, commit.lexical));
  for (const std::string& blob : commit.blobs) {
    SIGHTLINE_RETURN_IF_ERROR(connection.Run("INSERT OR IGNORE INTO document_blobs VALUES (?1, ?2)",
                                             keys.document, blob));
  }
  for (const SegmentRef& segment : commit.segments) {
    SIGHTLINE_RETURN_IF_ERROR(InsertSegment(connection, keys.collection, segment, commit_number));
  }
  return OkStatus();
}

Status InsertSegment(SqliteConnection& connection, std::int64_t collection_id,
                     const SegmentRef& segment, std::int64_t clean_until) {
  return connection.Run(
      "INSERT INTO segments(collection_id, space_id, file, units, vectors, size_bytes, "
      "first_unit_id, last_unit_id, clean_until) VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9)",
      collection_id, segment.space_id, segment.file, segment.units, segment.vectors,
      segment.size_bytes, segment.first_unit, segment.last_unit, clean_until);
}

Status ForgetDeletedUnits(SqliteConnection& connection, std::int64_t collection_id) {
  return connection.Run(
      "DELETE FROM deleted_units AS x WHERE x.collection_id = ?1 AND NOT EXISTS (SELECT 1 FROM "
      "segments s WHERE s.collection_id = ?1 AND s.clean_until < x.commit_number AND "
      "(s.last_unit_id = 0 OR (s.first_unit_id <= x.last_id AND s.last_unit_id >= x.first_id)))",
      collection_id);
}

Status ValidateCommit(const DocumentCommit& commit) {
  SIGHTLINE_RETURN_IF_ERROR(ValidateDocument(commit.document));
  std::set<UnitId> ids;
  for (const Unit& unit : commit.units) {
    if (unit.document_id != commit.document.id) {
      return base::InvalidArgument("a unit is of another document: " + std::to_string(unit.id));
    }
    if (!ids.insert(unit.id).second) {
      return base::InvalidArgument("a unit occurs twice: " + std::to_string(unit.id));
    }
  }
  for (const LexicalRow& row : commit.lexical) {
    if (!ids.contains(row.unit_id)) {
      return base::InvalidArgument("a text row has no unit: " + std::to_string(row.unit_id));
    }
  }
  for (const SegmentRef& segment : commit.segments) {
    if (segment.collection != commit.document.collection) {
      return base::InvalidArgument("a segment is of another collection: " +
                                   CleanText(segment.file));
    }
  }
  return OkStatus();
}

}  // namespace sightline::store
