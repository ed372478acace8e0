#include "server/origin_check.h"

#include <algorithm>
#include <string>

namespace sightline::server {
namespace {

// "[::1]:7801" → "::1"; "localhost:1" → "localhost".
std::string_view HostName(std::string_view host) {
  if (host.starts_with('[')) {
    const size_t end = host.find(']');
    return end == std::string_view::npos ? std::string_view() : host.substr(1, end - 1);
  }
  return host.substr(0, host.find(':'));
}

bool ChangesSomething(std::string_view method) {
  return method != "GET" && method != "HEAD" && method != "OPTIONS";
}

}  // namespace

bool IsLoopbackName(std::string_view address) {
  if (address == "::1" || EqualsIgnoringCase(address, "localhost")) return true;
  if (!address.starts_with("127.")) return false;
  // Digits and dots only: "127.0.0.1.example.com" is somebody's name.
  return std::ranges::all_of(address, [](char c) { return c == '.' || (c >= '0' && c <= '9'); }) &&
         std::ranges::count(address, '.') == 3;
}

base::Status CheckOrigin(const Request& request) {
  const std::string_view host = request.header("host");
  if (host.empty()) return base::InvalidArgument("the request has no Host header");
  if (!IsLoopbackName(HostName(host))) {
    return base::PermissionDenied("this server answers to 127.0.0.1 and localhost only, not to " +
                                  std::string(host.substr(0, 200)));
  }
  if (!ChangesSomething(request.method)) return base::OkStatus();
  const std::string_view site = request.header("sec-fetch-site");
  const bool foreign_site = !site.empty() && site != "same-origin" && site != "none";
  const std::string_view origin = request.header("origin");
  const bool foreign_origin = !origin.empty() && origin != "http://" + std::string(host) &&
                              origin != "https://" + std::string(host);
  if (foreign_site || foreign_origin) {
    return base::PermissionDenied("a page of another site may not change anything here: " +
                                  std::string(origin.substr(0, 200)));
  }
  return base::OkStatus();
}

}  // namespace sightline::server
