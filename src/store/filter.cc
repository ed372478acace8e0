#include "store/filter.h"

#include <boost/json.hpp>
#include <cmath>

#include "base/clock.h"
#include "base/utf8.h"
#include "store/filter_limits.h"
#include "store/filter_sql.h"

namespace sightline::store {
namespace {

namespace json = boost::json;
using base::InvalidArgument;
using base::OkStatus;
using base::Result;
using base::Status;

constexpr std::size_t kMaxFilterBytes = std::size_t{1} << 20U;

std::string Quoted(std::string_view text) {
  std::string quoted = "'";
  quoted += base::SanitizeUtf8(base::TruncateUtf8(text, 80));
  return quoted += "'";
}

/// Reads one filter; counts what the limits are about.
class Parser {
 public:
  Result<Filter> ReadFilter(const json::value& value, int depth) {
    if (depth > kMaxFilterDepth) return InvalidArgument("a filter may be 8 levels deep at most");
    if (!value.is_object()) return InvalidArgument("a filter must be an object");
    Filter filter;
    for (const auto& [name, conditions] : value.get_object()) {
      std::vector<Condition>* list = nullptr;
      if (name == "must") list = &filter.must;
      if (name == "should") list = &filter.should;
      if (name == "must_not") list = &filter.must_not;
      if (list == nullptr) {
        return InvalidArgument("a filter has must, should and must_not, not " + Quoted(name));
      }
      SIGHTLINE_RETURN_IF_ERROR(ReadConditions(conditions, depth, *list));
    }
    return filter;
  }

 private:
  Status ReadConditions(const json::value& value, int depth, std::vector<Condition>& list) {
    if (value.is_object()) return ReadOne(value.get_object(), depth, list);
    if (!value.is_array()) {
      return InvalidArgument("must, should and must_not are lists of conditions");
    }
    for (const json::value& condition : value.get_array()) {
      if (!condition.is_object()) return InvalidArgument("a condition must be an object");
      SIGHTLINE_RETURN_IF_ERROR(ReadOne(condition.get_object(), depth, list));
    }
    return OkStatus();
  }

  Status ReadOne(const json::object& object, int depth, std::vector<Condition>& list) {
    if (++conditions_ > kMaxFilterConditions) {
      return InvalidArgument("a filter may have 64 conditions at most");
    }
    Condition condition;
    if (!object.contains("key")) {
      SIGHTLINE_ASSIGN_OR_RETURN(Filter nested, ReadFilter(object, depth + 1));
      if (nested.IsEmpty()) return InvalidArgument("a condition needs a key");
      condition.nested.push_back(std::move(nested));
      list.push_back(std::move(condition));
      return OkStatus();
    }
    for (const auto& [name, value] : object) {
      if (name == "key") {
        if (!value.is_string()) return InvalidArgument("a condition's key must be text");
        condition.key = value.get_string();
      } else if (name != "match" && name != "range") {
        return InvalidArgument("a condition has key, match and range, not " + Quoted(name));
      }
    }
    if (object.contains("match") == object.contains("range")) {
      return InvalidArgument("a condition needs either match or range: key " +
                             Quoted(condition.key));
    }
    const json::value* match = object.if_contains("match");
    SIGHTLINE_RETURN_IF_ERROR(match != nullptr ? ReadMatch(*match, condition)
                                               : ReadRange(object.at("range"), condition));
    list.push_back(std::move(condition));
    return OkStatus();
  }

  Status ReadMatch(const json::value& value, Condition& condition) {
    const json::object* match = value.if_object();
    const json::value* one = match == nullptr ? nullptr : match->if_contains("value");
    const json::value* any = match == nullptr ? nullptr : match->if_contains("any");
    if (match == nullptr || match->size() != 1 || (one == nullptr && any == nullptr)) {
      return InvalidArgument("match is {\"value\": …} or {\"any\": […]}: key " +
                             Quoted(condition.key));
    }
    if (one != nullptr) return ReadValue(*one, condition);
    if (!any->is_array() || any->get_array().empty()) {
      return InvalidArgument("any is a list of at least one value: key " + Quoted(condition.key));
    }
    for (const json::value& item : any->get_array()) {
      SIGHTLINE_RETURN_IF_ERROR(ReadValue(item, condition));
    }
    return OkStatus();
  }

  Status ReadValue(const json::value& value, Condition& condition) {
    if (++values_ > kMaxFilterValues) {
      return InvalidArgument("a filter may have 4096 values at most");
    }
    if (value.is_bool()) {
      condition.any_of.emplace_back(value.get_bool());
    } else if (value.is_number()) {
      SIGHTLINE_ASSIGN_OR_RETURN(const double number, ReadNumber(value, condition));
      condition.any_of.emplace_back(number);
    } else if (value.is_string()) {
      if (condition.key == "created_at") {
        SIGHTLINE_ASSIGN_OR_RETURN(const double time_ms, ReadNumber(value, condition));
        condition.any_of.emplace_back(time_ms);
      } else {
        condition.any_of.emplace_back(base::SanitizeUtf8(value.get_string()));
      }
    } else {
      return InvalidArgument("a filter value is text, a number, true or false: key " +
                             Quoted(condition.key));
    }
    return OkStatus();
  }

  Result<double> ReadNumber(const json::value& value, const Condition& condition) {
    if (value.is_number()) {
      const auto number = value.to_number<double>();
      // 1e400 is read as infinity, which no JSON can say when the filter is passed on.
      if (std::isfinite(number)) return number;
      return InvalidArgument("a number of a filter is out of range: key " + Quoted(condition.key));
    }
    if (value.is_string() && condition.key == "created_at") {
      SIGHTLINE_ASSIGN_OR_RETURN(const base::UtcTime time,
                                 base::ParseRfc3339(std::string_view(value.get_string())));
      return static_cast<double>(base::UnixMillis(time));
    }
    return InvalidArgument("a range is of numbers (created_at: of times): key " +
                           Quoted(condition.key));
  }

  Status ReadRange(const json::value& value, Condition& condition) {
    if (!value.is_object() || value.get_object().empty()) {
      return InvalidArgument("range has gt, gte, lt, lte: key " + Quoted(condition.key));
    }
    for (const auto& [name, limit] : value.get_object()) {
      std::optional<double>* slot = nullptr;
      if (name == "gt") slot = &condition.gt;
      if (name == "gte") slot = &condition.gte;
      if (name == "lt") slot = &condition.lt;
      if (name == "lte") slot = &condition.lte;
      if (slot == nullptr) {
        return InvalidArgument("range has gt, gte, lt, lte, not " + Quoted(name) + ": key " +
                               Quoted(condition.key));
      }
      SIGHTLINE_ASSIGN_OR_RETURN(*slot, ReadNumber(limit, condition));
    }
    return OkStatus();
  }

  int conditions_ = 0;
  std::size_t values_ = 0;
};

}  // namespace

bool IsMetadataName(std::string_view name) {
  if (name.empty() || name.size() > 128 || !base::IsValidUtf8(name)) return false;
  for (const char c : name) {
    const auto byte = static_cast<unsigned char>(c);
    if (byte < 0x20 || byte == 0x7F || c == '"' || c == '\\') return false;
  }
  return true;
}

Result<Filter> ParseFilter(std::string_view text) {
  if (text.size() > kMaxFilterBytes) return InvalidArgument("a filter may have 1 MiB at most");
  json::parse_options options;
  // A condition at depth n is two JSON levels further down, and match and any are two more.
  options.max_depth = 2 * kMaxFilterDepth + 4;
  boost::system::error_code error;
  const json::value value = json::parse(text, error, {}, options);
  if (error) return InvalidArgument("the filter is no JSON: " + error.message());
  Parser parser;
  SIGHTLINE_ASSIGN_OR_RETURN(Filter filter, parser.ReadFilter(value, 1));
  // Keys and types of values are known where they become SQL; a filter that parses must resolve.
  SIGHTLINE_RETURN_IF_ERROR(ToSql(filter).status());
  return filter;
}

}  // namespace sightline::store
