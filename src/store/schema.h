// The catalog's tables and how an older catalog becomes a current one.
#pragma once

#include <cstdint>
#include <string>

#include "base/result.h"
#include "store/sqlite_database.h"

namespace sightline::store {

/// The version that this program writes.
inline constexpr int kSchemaVersion = 1;

/// Brings the database to `kSchemaVersion`, each step in one transaction. kFailedPrecondition when
/// a later program made it (it is not touched then), kDataLoss when it is no catalog.
base::Status Migrate(SqliteDatabase& database, std::int64_t now_ms);

/// Name of the text index of a collection.
std::string TextIndexName(std::int64_t collection_id);
/// Makes the text index of a new collection.
base::Status CreateTextIndex(SqliteConnection& connection, std::int64_t collection_id);

}  // namespace sightline::store
