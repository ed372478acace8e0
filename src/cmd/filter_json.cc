#include <boost/json.hpp>
#include <variant>

#include "cmd/api_json.h"

namespace sightline::cmd {
namespace {

namespace json = boost::json;

json::object ConditionJson(const store::Condition& condition) {
  if (!condition.nested.empty()) return FilterJson(condition.nested.front());
  json::object object{{"key", condition.key}};
  if (!condition.any_of.empty()) {
    json::array any;
    for (const store::FilterValue& value : condition.any_of) {
      any.emplace_back(std::visit([](const auto& held) { return json::value(held); }, value));
    }
    object["match"] = json::object{{"any", std::move(any)}};
  }
  json::object range;
  if (condition.gt) range["gt"] = *condition.gt;
  if (condition.gte) range["gte"] = *condition.gte;
  if (condition.lt) range["lt"] = *condition.lt;
  if (condition.lte) range["lte"] = *condition.lte;
  if (!range.empty()) object["range"] = std::move(range);
  return object;
}

json::array ConditionsJson(const std::vector<store::Condition>& conditions) {
  json::array array;
  for (const store::Condition& condition : conditions) array.emplace_back(ConditionJson(condition));
  return array;
}

}  // namespace

json::object FilterJson(const store::Filter& filter) {
  json::object object;
  if (!filter.must.empty()) object["must"] = ConditionsJson(filter.must);
  if (!filter.should.empty()) object["should"] = ConditionsJson(filter.should);
  if (!filter.must_not.empty()) object["must_not"] = ConditionsJson(filter.must_not);
  return object;
}

}  // namespace sightline::cmd
