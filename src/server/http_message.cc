#include "server/http_message.h"

#include <strings.h>

#include "base/check.h"

namespace sightline::server {

bool EqualsIgnoringCase(std::string_view a, std::string_view b) {
  return a.size() == b.size() && strncasecmp(a.data(), b.data(), a.size()) == 0;
}

std::string_view Request::header(std::string_view name) const {
  for (const Header& header : headers) {
    if (EqualsIgnoringCase(header.name, name)) return header.value;
  }
  return {};
}

std::optional<std::string> Request::query_value(std::string_view name) const {
  for (const auto& [key, value] : query) {
    if (key == name) return value;
  }
  return std::nullopt;
}

std::vector<std::string> Request::query_values(std::string_view name) const {
  std::vector<std::string> values;
  for (const auto& [key, value] : query) {
    if (key == name) values.push_back(value);
  }
  return values;
}

const std::string& Request::parameter(std::string_view name) const {
  const auto found = parameters.find(name);
  CHECK(found != parameters.end(), name);
  return found->second;
}

std::string_view ReasonPhrase(int status) {
  static const std::map<int, std::string_view> phrases = {{200, "OK"},
                                                          {202, "Accepted"},
                                                          {204, "No Content"},
                                                          {206, "Partial Content"},
                                                          {304, "Not Modified"},
                                                          {400, "Bad Request"},
                                                          {403, "Forbidden"},
                                                          {404, "Not Found"},
                                                          {405, "Method Not Allowed"},
                                                          {408, "Request Timeout"},
                                                          {409, "Conflict"},
                                                          {411, "Length Required"},
                                                          {412, "Precondition Failed"},
                                                          {413, "Content Too Large"},
                                                          {415, "Unsupported Media Type"},
                                                          {416, "Range Not Satisfiable"},
                                                          {421, "Misdirected Request"},
                                                          {431, "Request Header Fields Too Large"},
                                                          {499, "Client Closed Request"},
                                                          {500, "Internal Server Error"},
                                                          {501, "Not Implemented"},
                                                          {503, "Service Unavailable"},
                                                          {504, "Gateway Timeout"},
                                                          {507, "Insufficient Storage"}};
  const auto found = phrases.find(status);
  return found == phrases.end() ? "Unknown" : found->second;
}

}  // namespace sightline::server
