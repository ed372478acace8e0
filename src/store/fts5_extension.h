// What FTS5 is told on every connection: our tokenizer and our BM25.
#pragma once

#include "index/unit_set.h"

struct sqlite3;

namespace sightline::store {

class TextLengths;

/// What one statement with `sightline_bm25` needs and tells.
struct Bm25Call {
  const index::UnitSet* filter = nullptr;  ///< Null: all rows.
  double bound = 0;                        ///< Set at the first scored row: Σ idf · (k1 + 1).
};
/// Type name of the pointer that `sightline_bm25` takes: a `Bm25Call` that outlives the statement.
inline constexpr const char* kBm25CallPointer = "sightline_bm25_call";

/// Registers with FTS5
/// - the tokenizer `sightline_spaces`, which splits at spaces and changes nothing: terms come
///   analysed;
/// - the function `sightline_bm25(table, call)`: Okapi BM25 of the row with k1 = 1.2, b = 0.75
/// and
///   idf = ln(1 + (N − n + 0.5) / (n + 0.5)) (Robertson & Zaragoza 2009, with Lucene's 1 + so that
///   a term in most rows still counts); NULL, before any work, when the filter lacks the row.
/// `lengths`, which must live longer than the connection, is shared by all connections. Returns an
/// SQLite result code.
int RegisterFts5(sqlite3* database, TextLengths& lengths);

}  // namespace sightline::store
