// The catalog's check of itself.
#include <array>
#include <utility>

#include "store/schema.h"
#include "store/sqlite_catalog.h"

namespace sightline::store {
namespace {

using base::OkStatus;
using base::Result;
using base::Status;

/// A finding's fixed text, and a query that gives one value a finding.
using Rule = std::pair<const char*, const char*>;

constexpr std::array kRules = {
    Rule{"a row refers to a row that does not exist: table ",
         "SELECT DISTINCT \"table\" FROM pragma_foreign_key_check"},
    Rule{"a unit id was never allocated: unit ",
         "SELECT id FROM units WHERE id < 1 OR id >= (SELECT value FROM counters WHERE name = "
         "'next_unit_id')"},
    Rule{"a unit's parent does not exist: unit ",
         "SELECT u.id FROM units u LEFT JOIN units p ON p.id = u.parent_id WHERE p.id IS NULL"},
    Rule{"a unit is listed as deleted: unit ",
         "SELECT u.id FROM units u JOIN documents d ON d.key = u.document_key JOIN deleted_units x "
         "ON x.collection_id = d.collection_id AND u.id BETWEEN x.first_id AND x.last_id"},
    Rule{"a document waits but has no job: ",
         "SELECT d.id FROM documents d LEFT JOIN jobs j ON j.document_id = d.id WHERE d.state IN "
         "('queued', 'processing') AND j.key IS NULL"},
    Rule{"a document that was never committed has units: ",
         "SELECT DISTINCT d.id FROM documents d JOIN units u ON u.document_key = d.key WHERE "
         "d.revision = 0"},
    Rule{"a job has no document: ",
         "SELECT j.id FROM jobs j LEFT JOIN documents d ON d.id = j.document_id WHERE d.key IS "
         "NULL"},
    Rule{"a collection is ahead of the commit number: ",
         "SELECT name FROM collections WHERE commit_number > (SELECT value FROM counters WHERE "
         "name = 'commit_number')"},
};

Status AddFindings(SqliteConnection& connection, const std::string& text, const std::string& sql,
                   std::vector<std::string>& findings) {
  SIGHTLINE_ASSIGN_OR_RETURN(SqliteStatement select, connection.Prepare(sql));
  while (true) {
    SIGHTLINE_ASSIGN_OR_RETURN(const bool row, select.Step());
    if (!row) return OkStatus();
    findings.push_back(text + std::string(select.Text(0)));
  }
}

Result<std::vector<std::int64_t>> CollectionIds(SqliteConnection& connection) {
  SIGHTLINE_ASSIGN_OR_RETURN(SqliteStatement select,
                             connection.Prepare("SELECT id FROM collections ORDER BY id"));
  std::vector<std::int64_t> ids;
  while (true) {
    SIGHTLINE_ASSIGN_OR_RETURN(const bool row, select.Step());
    if (!row) return ids;
    ids.push_back(select.Int(0));
  }
}

}  // namespace

Result<std::vector<std::string>> SqliteCatalog::CheckIntegrity() {
  std::vector<std::string> findings;
  std::vector<std::int64_t> collections;
  const Status read = database_->Read([&](SqliteConnection& connection) -> Status {
    SIGHTLINE_RETURN_IF_ERROR(
        AddFindings(connection, "the database is damaged: ",
                    "SELECT integrity_check FROM pragma_integrity_check WHERE integrity_check <> "
                    "'ok'",
                    findings));
    for (const auto& [text, sql] : kRules) {
      SIGHTLINE_RETURN_IF_ERROR(AddFindings(connection, text, sql, findings));
    }
    SIGHTLINE_ASSIGN_OR_RETURN(collections, CollectionIds(connection));
    for (const std::int64_t id : collections) {
      SIGHTLINE_RETURN_IF_ERROR(AddFindings(
          connection, "a text row has no unit: ",
          "SELECT f.id FROM " + TextIndexName(id) +
              "_docsize f LEFT JOIN units u ON u.id = f.id LEFT JOIN documents d ON d.key = "
              "u.document_key WHERE d.collection_id IS NOT " +
              std::to_string(id),
          findings));
    }
    return OkStatus();
  });
  if (!read.ok()) return read;
  for (const std::int64_t id : collections) {
    const std::string table = TextIndexName(id);
    // FTS5 checks itself through an INSERT, which wants the writer.
    const Status checked = database_->Write([&](SqliteConnection& connection) {
      return connection.Script("INSERT INTO " + table + "(" + table +
                               ") VALUES ('integrity-check')");
    });
    if (checked.code() == base::StatusCode::kDataLoss) {
      findings.push_back("a text index is damaged: " + table);
    } else if (!checked.ok()) {
      return checked;
    }
  }
  return findings;
}

}  // namespace sightline::store
