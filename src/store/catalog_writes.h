// The steps of the catalog's write transactions.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "base/result.h"
#include "store/catalog.h"
#include "store/sqlite_database.h"

namespace sightline::store {

/// Keys of a document's row.
struct DocumentKeys {
  std::int64_t document = 0;
  std::int64_t collection = 0;
  std::int64_t revision = 0;
};

/// kNotFound when there is no such document.
base::Result<DocumentKeys> FindDocumentKeys(SqliteConnection& connection, std::string_view id);

/// Id of a collection, or nothing.
base::Result<std::optional<std::int64_t>> FindCollection(SqliteConnection& connection,
                                                         std::string_view name);
/// Id of a collection, which is made with its text index when it does not exist.
base::Result<std::int64_t> MakeCollection(SqliteConnection& connection, std::string_view name);

/// Takes the next commit number and makes it the collection's.
base::Result<std::int64_t> NextCommitNumber(SqliteConnection& connection,
                                            std::int64_t collection_id);

/// Takes away units, text rows and blob references of a document; notes the unit ids as deleted.
base::Status RemoveUnits(SqliteConnection& connection, const DocumentKeys& keys,
                         std::int64_t commit_number);

/// Adds units, text rows, blob references and segments of a document.
base::Status AddContent(SqliteConnection& connection, const DocumentKeys& keys,
                        const DocumentCommit& commit, std::int64_t commit_number);

/// Inserts a segment row.
base::Status InsertSegment(SqliteConnection& connection, std::int64_t collection_id,
                           const SegmentRef& segment, std::int64_t clean_until);

/// Forgets deleted units that no segment of the collection can hold any more.
base::Status ForgetDeletedUnits(SqliteConnection& connection, std::int64_t collection_id);

/// What must hold of a commit before it is written; kInvalidArgument says what does not.
base::Status ValidateCommit(const DocumentCommit& commit);

}  // namespace sightline::store
