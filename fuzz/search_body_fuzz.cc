// The JSON body of a search.
#include <boost/json.hpp>

#include "base/check.h"
#include "base/utf8.h"
#include "fuzz/target.h"
#include "server/json_response.h"
#include "server/search_json.h"

namespace sightline::fuzz {
namespace {

void Run(std::string_view input) {
  server::ServerLimits limits;
  limits.image_bytes = 512;
  limits.query_bytes = 256;
  const auto body = server::ParseJsonObject(input, limits.json_depth);
  if (!body.ok()) return;
  const auto question = server::SearchFromJson(*body, limits);
  if (!question.ok()) {
    CHECK(question.status().code() == base::StatusCode::kInvalidArgument);
    return;
  }
  CHECK(base::IsValidUtf8(question->request.query));
  CHECK(question->request.top_k >= 1 && question->request.top_k <= 1000);
  CHECK(question->image.size() <= limits.image_bytes);
}

const Registration kTarget({.name = "search_body", .max_bytes = 8192, .run = &Run});

}  // namespace
}  // namespace sightline::fuzz
