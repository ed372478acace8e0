// Filters in Qdrant's form: must, should, must_not over keys of units and documents.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "base/result.h"

namespace sightline::store {

using FilterValue = std::variant<std::string, double, bool>;

struct Condition;

/// All of `must`, at least one of `should` (when there is one), none of `must_not`.
struct Filter {
  std::vector<Condition> must;
  std::vector<Condition> should;
  std::vector<Condition> must_not;

  /// Whether everything passes.
  bool IsEmpty() const { return must.empty() && should.empty() && must_not.empty(); }
};

/// `key` equals one of `any_of`, or lies in the range, or `nested` holds.
/// Keys: kind, tag, document_id, document_kind, language, source, page, start_ms, end_ms,
/// created_at (RFC 3339 or ms), metadata.NAME (one level).
struct Condition {
  std::string key;
  std::vector<FilterValue> any_of;
  std::optional<double> gt, gte, lt, lte;
  std::vector<Filter> nested;  ///< 0 or 1.
};

/// Parses `{"must":[{"key":…,"match":{"value":…}|{"any":[…]}},{"key":…,"range":{…}}],…}`.
/// `kInvalidArgument` names the wrong part. At most 64 conditions, depth 8, unknown keys refused.
base::Result<Filter> ParseFilter(std::string_view json);

}  // namespace sightline::store
