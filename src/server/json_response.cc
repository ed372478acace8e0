#include "server/json_response.h"

#include <boost/json.hpp>

namespace sightline::server {

namespace json = boost::json;

Response JsonResponse(int status, const json::value& body) {
  Response response;
  response.status = status;
  response.AddHeader("Content-Type", "application/json; charset=utf-8");
  response.AddHeader("Cache-Control", "no-store");
  response.body = json::serialize(body);
  return response;
}

base::Result<json::object> ParseJsonObject(std::string_view text, int max_depth) {
  json::parse_options options;
  options.max_depth = static_cast<size_t>(max_depth);
  json::stream_parser parser({}, options);
  boost::system::error_code error;
  const size_t read = parser.write_some(text.data(), text.size(), error);
  if (!error && read == text.size()) parser.finish(error);
  if (error || read != text.size()) {
    return base::InvalidArgument(
        "the body is not JSON: " + (error ? error.message() : std::string("extra data")) +
        " at byte " + std::to_string(read));
  }
  json::value value = parser.release();
  if (!value.is_object()) return base::InvalidArgument("the body is JSON, but not an object");
  return std::move(value.get_object());
}

}  // namespace sightline::server
