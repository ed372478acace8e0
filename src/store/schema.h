// The catalog's tables and how an older catalog becomes a current one.
#pragma once

#include <cstdint>
#include <span>
#include <string>

#include "base/result.h"
#include "store/sqlite_database.h"

namespace sightline::store {

/// The version that this program writes.
inline constexpr int kSchemaVersion = 1;

/// Brings the database to `kSchemaVersion`. Errors as of `RunMigrations`.
base::Status Migrate(SqliteDatabase& database, std::int64_t now_ms);

/// Runs the scripts that the database has not seen yet, `steps[i]` making version i + 1 of version
/// i, all in one transaction: it stays as it was when one fails. kFailedPrecondition when it is of
/// a version after the last step (it is not touched then), kDataLoss when it is no catalog.
base::Status RunMigrations(SqliteDatabase& database, std::span<const char* const> steps,
                           std::int64_t now_ms);

/// Name of the text index of a collection.
std::string TextIndexName(std::int64_t collection_id);
/// Makes the text index of a new collection.
base::Status CreateTextIndex(SqliteConnection& connection, std::int64_t collection_id);

}  // namespace sightline::store
