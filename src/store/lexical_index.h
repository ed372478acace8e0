// Port: BM25 over the analysed text of units.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/deadline.h"
#include "base/result.h"
#include "index/unit_set.h"
#include "store/vector_store.h"

namespace sightline::store {

/// What is looked for, and where.
struct LexicalQuery {
  std::string collection;
  std::vector<std::string> terms;  ///< As `text::AnalyzeQuery` gives them; any may match.
  std::size_t top_k = 100;
  const index::UnitSet* filter = nullptr;
  /// Every term that begins so matches as well (`text::Token::is_prefix`).
  std::vector<std::string> prefixes;
};

/// What matched.
struct LexicalHits {
  std::vector<ScoredUnit> units;  ///< Best first.
  /// Σ idf · (k1 + 1) over the terms and prefixes: what no row can reach. Scores divided by it
  /// compare across questions. 0 when nothing matched.
  float bound = 0;
};

/// Rows are written by `Catalog::Commit`. Thread-safe. Statistics are per collection.
class LexicalIndex {
 public:
  virtual ~LexicalIndex() = default;
  /// Okapi BM25 (k1 = 1.2, b = 0.75), larger is better; ties by unit id ascending.
  virtual base::Result<LexicalHits> Search(const LexicalQuery& query,
                                           const base::CancelToken& cancel) = 0;
};

}  // namespace sightline::store
