// BM25 over FTS5 tables in the catalog's database.
#pragma once

#include <vector>

#include "store/lexical_index.h"
#include "store/sqlite_database.h"

namespace sightline::store {

/// Thread-safe. Reads the tables that `SqliteCatalog::Commit` writes.
class Fts5LexicalIndex final : public LexicalIndex {
 public:
  /// `database` must live longer.
  explicit Fts5LexicalIndex(SqliteDatabase& database) : database_(database) {}

  base::Result<LexicalHits> Search(const LexicalQuery& query,
                                   const base::CancelToken& cancel) override;

 private:
  SqliteDatabase& database_;
};

}  // namespace sightline::store
