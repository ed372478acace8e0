// Plan: a checked request, with what every route needs to know.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "base/result.h"
#include "index/unit_set.h"
#include "retrieve/search.h"
#include "retrieve/services.h"
#include "store/catalog.h"
#include "text/language.h"

namespace sightline::retrieve {

/// Limits of a request (DESIGN: section 12).
inline constexpr std::size_t kMaxQueryBytes = std::size_t{8} << 10;
inline constexpr int kMaxTopK = 1'000;
inline constexpr std::int64_t kMaxQueryImageBytes = 20LL << 20;

/// What a checked request means.
struct QueryPlan {
  std::string query;  ///< Valid UTF-8.
  text::Language language = text::Language::kOther;
  std::vector<std::string> terms;     ///< Analysed query.
  std::vector<std::string> prefixes;  ///< Terms that are the beginning of a word.
  std::vector<Route> routes;
  std::shared_ptr<const store::Snapshot> snapshot;
  /// Units that the request's filter lets through; null: all.
  std::shared_ptr<const index::UnitSet> filter;
  /// The same, without / with only the other language of Chinese and English (E5.md: a search over
  /// both languages keeps a list of each). `other` is null when there is nothing in it.
  std::shared_ptr<const index::UnitSet> same_language;
  std::shared_ptr<const index::UnitSet> other_language;

  /// Whether the plan takes this route.
  bool Has(Route route) const;
};

/// `kInvalidArgument` says which limit the request breaks.
base::Status ValidateRequest(const SearchRequest& request);

/// Takes the snapshot and resolves the filters.
base::Result<QueryPlan> MakePlan(const SearchRequest& request, const SearchServices& services);

}  // namespace sightline::retrieve
