#include "server/router.h"

#include <algorithm>

#include "base/check.h"
#include "base/nearest_name.h"
#include "base/utf8.h"

namespace sightline::server {
namespace {

std::vector<std::string_view> Segments(std::string_view path) {
  std::vector<std::string_view> segments;
  path.remove_prefix(std::min<size_t>(1, path.size()));
  for (;;) {
    const size_t slash = path.find('/');
    segments.push_back(path.substr(0, slash));
    if (slash == std::string_view::npos) return segments;
    path.remove_prefix(slash + 1);
  }
}

bool Fits(std::string_view pattern, std::string_view path,
          std::map<std::string, std::string, std::less<>>& parameters) {
  const std::vector<std::string_view> wanted = Segments(pattern);
  const std::vector<std::string_view> given = Segments(path);
  for (size_t i = 0; i < wanted.size(); ++i) {
    if (wanted[i] == "*") return true;
    if (i >= given.size()) return false;
    if (wanted[i].starts_with('{')) {
      if (given[i].empty()) return false;
      parameters[std::string(wanted[i].substr(1, wanted[i].size() - 2))] = std::string(given[i]);
    } else if (wanted[i] != given[i]) {
      return false;
    }
  }
  return wanted.size() == given.size();
}

}  // namespace

void Router::Add(Route route) {
  CHECK((route.handler != nullptr) != (route.upload != nullptr), route.pattern);
  routes_.push_back(std::move(route));
}

RouteMatch Router::Match(std::string_view method, std::string_view path) const {
  const std::string_view wanted = method == "HEAD" ? "GET" : method;
  RouteMatch match;
  for (const Route& route : routes_) {
    std::map<std::string, std::string, std::less<>> parameters;
    if (!Fits(route.pattern, path, parameters)) continue;
    // A catch-all does not make a path known: it answers what no other route knows.
    if (route.pattern.ends_with("*") &&
        (!match.allowed_methods.empty() || route.method != wanted)) {
      continue;
    }
    if (route.method == wanted) {
      match.route = &route;
      match.parameters = std::move(parameters);
      match.allowed_methods.clear();
      return match;
    }
    if (std::ranges::find(match.allowed_methods, route.method) == match.allowed_methods.end()) {
      match.allowed_methods.push_back(route.method);
      if (route.method == "GET") match.allowed_methods.push_back("HEAD");
    }
  }
  return match;
}

std::optional<ApiError> FindQueryFault(const Route& route, const Request& request) {
  if (!route.query.has_value()) return std::nullopt;
  std::vector<std::string> names;
  for (const QueryName& known : *route.query) names.push_back(known.name);
  std::map<std::string_view, int> given;
  for (const auto& [name, value] : request.query) {
    const std::string shown = base::SanitizeUtf8(base::TruncateUtf8(name, 100));
    const auto known = std::ranges::find(names, name);
    if (known == names.end()) {
      return ApiError{400, "invalid_argument",
                      "unknown parameter \"" + shown + "\"" + base::DidYouMean(name, names), shown};
    }
    const bool repeats = (*route.query)[static_cast<size_t>(known - names.begin())].repeats;
    if (++given[name] > 1 && !repeats) {
      return ApiError{400, "invalid_argument", shown + " is given twice", shown};
    }
  }
  return std::nullopt;
}

}  // namespace sightline::server
