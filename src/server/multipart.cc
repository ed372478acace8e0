#include "server/multipart.h"

#include "server/http_message.h"

namespace sightline::server {
namespace {

constexpr size_t kMaxParts = 16;
constexpr size_t kMaxBoundarySize = 70;

// The value of `name="…"` or `name=…` in a header's parameters; empty when there is none.
std::string_view Parameter(std::string_view header, std::string_view name) {
  size_t at = 0;
  while ((at = header.find(';', at)) != std::string_view::npos) {
    ++at;
    while (at < header.size() && header[at] == ' ') ++at;
    std::string_view rest = header.substr(at);
    if (rest.size() <= name.size() || rest[name.size()] != '=' ||
        !EqualsIgnoringCase(rest.substr(0, name.size()), name)) {
      continue;
    }
    rest.remove_prefix(name.size() + 1);
    if (rest.starts_with('"')) {
      const size_t end = rest.find('"', 1);
      return end == std::string_view::npos ? std::string_view() : rest.substr(1, end - 1);
    }
    return rest.substr(0, rest.find_first_of("; "));
  }
  return {};
}

// The field's name in the headers of a part; empty when there is none.
std::string_view FieldName(std::string_view head) {
  constexpr std::string_view kName = "content-disposition:";
  while (!head.empty()) {
    const size_t end = head.find("\r\n");
    const std::string_view line = head.substr(0, end);
    if (line.size() > kName.size() && EqualsIgnoringCase(line.substr(0, kName.size()), kName)) {
      return Parameter(line, "name");
    }
    head = end == std::string_view::npos ? std::string_view() : head.substr(end + 2);
  }
  return {};
}

}  // namespace

base::Result<std::map<std::string, std::string>> ParseMultipart(std::string_view content_type,
                                                                std::string_view body) {
  const std::string_view boundary = Parameter(content_type, "boundary");
  if (boundary.empty() || boundary.size() > kMaxBoundarySize) {
    return base::InvalidArgument("the form has no boundary of 1 to 70 characters");
  }
  const std::string delimiter = "\r\n--" + std::string(boundary);
  const base::Status broken = base::InvalidArgument("the form is broken or cut off");
  // The first delimiter has no line end before it.
  if (!body.starts_with(std::string_view(delimiter).substr(2))) return broken;
  body.remove_prefix(delimiter.size() - 2);
  std::map<std::string, std::string> fields;
  for (size_t parts = 0; !body.starts_with("--"); ++parts) {
    if (parts == kMaxParts) return base::InvalidArgument("the form has more than 16 parts");
    if (!body.starts_with("\r\n")) return broken;
    body.remove_prefix(2);
    const size_t head_end = body.find("\r\n\r\n");
    const size_t part_end = body.find(delimiter);
    if (head_end == std::string_view::npos || part_end == std::string_view::npos ||
        part_end < head_end + 4) {
      return broken;
    }
    const std::string_view name = FieldName(body.substr(0, head_end));
    if (name.empty()) return base::InvalidArgument("a part of the form has no name");
    const auto [field, is_new] =
        fields.emplace(name, body.substr(head_end + 4, part_end - head_end - 4));
    if (!is_new) return base::InvalidArgument("the form names a field twice: " + field->first);
    body.remove_prefix(part_end + delimiter.size());
  }
  return fields;
}

}  // namespace sightline::server
