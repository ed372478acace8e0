#include "server/request_target.h"

#include "base/utf8.h"

namespace sightline::server {
namespace {

int HexValue(char c) {
  if (c >= '0' && c <= '9') return c - '0';
  if (c >= 'a' && c <= 'f') return c - 'a' + 10;
  if (c >= 'A' && c <= 'F') return c - 'A' + 10;
  return -1;
}

base::Status CheckPath(std::string_view path) {
  for (const char c : path) {
    if (static_cast<unsigned char>(c) < 0x20 || c == 0x7F || c == '\\') {
      return base::InvalidArgument("a control character or a backslash in the path");
    }
  }
  while (!path.empty()) {
    const size_t slash = path.find('/');
    const std::string_view segment = path.substr(0, slash);
    if (segment == "." || segment == "..") {
      return base::InvalidArgument("a \".\" or \"..\" segment in the path");
    }
    path = slash == std::string_view::npos ? std::string_view() : path.substr(slash + 1);
  }
  return base::OkStatus();
}

}  // namespace

base::Result<std::string> PercentDecode(std::string_view text, PlusSign plus) {
  std::string out;
  out.reserve(text.size());
  for (size_t i = 0; i < text.size(); ++i) {
    if (text[i] == '+' && plus == PlusSign::kSpace) {
      out.push_back(' ');
    } else if (text[i] == '%') {
      const int high = i + 2 < text.size() ? HexValue(text[i + 1]) : -1;
      const int low = i + 2 < text.size() ? HexValue(text[i + 2]) : -1;
      if (high < 0 || low < 0) return base::InvalidArgument("a broken %XX escape in the URL");
      out.push_back(static_cast<char>(high * 16 + low));
      i += 2;
    } else {
      out.push_back(text[i]);
    }
  }
  if (!base::IsValidUtf8(out) || out.find('\0') != std::string::npos) {
    return base::InvalidArgument("the URL is not UTF-8");
  }
  return out;
}

base::Result<RequestTarget> ParseRequestTarget(std::string_view target) {
  if (!target.starts_with('/')) {
    return base::InvalidArgument("the request target is not a path beginning with \"/\"");
  }
  const size_t question = target.find('?');
  RequestTarget out;
  SIGHTLINE_ASSIGN_OR_RETURN(out.path, PercentDecode(target.substr(0, question), PlusSign::kPlus));
  SIGHTLINE_RETURN_IF_ERROR(CheckPath(out.path));
  std::string_view query = question == std::string_view::npos ? "" : target.substr(question + 1);
  while (!query.empty()) {
    const size_t ampersand = query.find('&');
    const std::string_view pair = query.substr(0, ampersand);
    const size_t equals = pair.find('=');
    SIGHTLINE_ASSIGN_OR_RETURN(std::string name,
                               PercentDecode(pair.substr(0, equals), PlusSign::kSpace));
    SIGHTLINE_ASSIGN_OR_RETURN(
        std::string value,
        PercentDecode(equals == std::string_view::npos ? "" : pair.substr(equals + 1),
                      PlusSign::kSpace));
    if (!pair.empty()) out.query.emplace_back(std::move(name), std::move(value));
    query = ampersand == std::string_view::npos ? std::string_view() : query.substr(ampersand + 1);
  }
  return out;
}

}  // namespace sightline::server
