#include "store/fts5_lexical_index.h"

#include <optional>
#include <set>
#include <string>

#include "index/top_k.h"
#include "store/catalog_writes.h"
#include "store/fts5_extension.h"
#include "store/schema.h"

namespace sightline::store {
namespace {

using base::OkStatus;
using base::Result;
using base::Status;

constexpr std::size_t kMaxTerms = 512;
constexpr int kRowsBetweenChecks = 1024;

/// `"term"`, so that no character of it means something to FTS5; empty for what no row can hold.
std::string Quoted(const std::string& term) {
  const std::string clean = CleanText(term);
  if (clean.empty() || clean.find(' ') != std::string::npos) return {};
  std::string quoted = "\"";
  for (const char c : clean) {
    if (c == '"') quoted += '"';
    quoted += c;
  }
  return quoted + "\"";
}

/// The terms, each once, joined by OR; empty when none is left.
Result<std::string> MatchExpression(const LexicalQuery& query) {
  if (query.terms.size() + query.prefixes.size() > kMaxTerms) {
    return base::InvalidArgument("a question may have 512 terms at most: " +
                                 std::to_string(query.terms.size() + query.prefixes.size()));
  }
  std::set<std::string> phrases;
  for (const std::string& term : query.terms) phrases.insert(Quoted(term));
  for (const std::string& prefix : query.prefixes) {
    const std::string quoted = Quoted(prefix);
    if (!quoted.empty()) phrases.insert(quoted + "*");
  }
  phrases.erase("");
  std::string expression;
  for (const std::string& phrase : phrases) {
    expression += expression.empty() ? "" : " OR ";
    expression += phrase;
  }
  return expression;
}

}  // namespace

Result<LexicalHits> Fts5LexicalIndex::Search(const LexicalQuery& query,
                                             const base::CancelToken& cancel) {
  SIGHTLINE_ASSIGN_OR_RETURN(const std::string expression, MatchExpression(query));
  if (expression.empty() || query.top_k == 0) return LexicalHits();
  index::TopK top(query.top_k);
  Bm25Call call{query.filter, 0};
  const Status read = database_.Read([&](SqliteConnection& connection) -> Status {
    SIGHTLINE_ASSIGN_OR_RETURN(const auto collection, FindCollection(connection, query.collection));
    if (!collection) return OkStatus();
    const std::string table = TextIndexName(*collection);
    SIGHTLINE_ASSIGN_OR_RETURN(
        SqliteStatement select,
        connection.Prepare("SELECT rowid, sightline_bm25(" + table + ", ?2) FROM " + table +
                           " WHERE " + table + " MATCH ?1"));
    select.BindText(1, expression);
    select.BindPointer(2, &call, kBm25CallPointer);
    for (int rows = 0;; ++rows) {
      if (rows % kRowsBetweenChecks == 0) SIGHTLINE_RETURN_IF_ERROR(cancel.Check());
      SIGHTLINE_ASSIGN_OR_RETURN(const bool row, select.Step());
      if (!row) return OkStatus();
      if (!select.IsNull(1)) top.Push({select.Int(0), static_cast<float>(select.Double(1))});
    }
  });
  if (!read.ok()) return read;
  LexicalHits hits;
  hits.units = top.Take();
  if (!hits.units.empty()) hits.bound = static_cast<float>(call.bound);
  return hits;
}

}  // namespace sightline::store
