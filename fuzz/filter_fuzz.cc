// Filters of a search: what parses becomes SQL, and means the same when it is written and read
// again.
#include <boost/json.hpp>

#include "base/check.h"
#include "cmd/api_json.h"
#include "fuzz/target.h"
#include "store/filter.h"
#include "store/filter_sql.h"

namespace sightline::fuzz {
namespace {

void Run(std::string_view input) {
  const auto filter = store::ParseFilter(input);
  if (!filter.ok()) return;
  const auto sql = store::ToSql(*filter);
  CHECK(sql.ok(), sql.status().ToString());
  const std::string written = boost::json::serialize(cmd::FilterJson(*filter));
  const auto again = store::ParseFilter(written);
  CHECK(again.ok(), written);
  const auto sql_again = store::ToSql(*again);
  CHECK(sql_again.ok() && sql_again->Key() == sql->Key(), written);
}

const Registration kTarget({.name = "filter", .max_bytes = 8192, .run = &Run});

}  // namespace
}  // namespace sightline::fuzz
