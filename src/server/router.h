// Which handler answers which method and path.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "base/result.h"
#include "server/error_response.h"
#include "server/http_message.h"

namespace sightline::server {

/// Where a handler runs.
enum class HandlerPool {
  kInline,  ///< on the I/O thread: it neither computes nor blocks
  kSearch,
  kEngine,
  kDraw,  ///< pages are drawn: slower than what the engine's pool does, and many at once
};

/// A parameter of the query that a route takes.
struct QueryName {
  std::string name;
  bool repeats = false;  ///< May be given several times.
};

/// Answers a request whose body has been read.
using Handler = std::function<Response(const Request&)>;
/// Begins to take the body of a request, or answers at once without reading it.
using UploadHandler =
    std::function<std::variant<std::unique_ptr<BodySink>, Response>(const Request&)>;

/// One operation of the API.
struct Route {
  std::string method;
  /// "/v1/documents/{id}/units"; `{name}` is one segment. A last segment "*" is any rest.
  std::string pattern;
  HandlerPool pool = HandlerPool::kEngine;
  /// Instead of `pool`, where it depends on the request.
  std::function<HandlerPool(const Request&)> choose_pool = nullptr;
  /// All that it takes; nullopt: any.
  std::optional<std::vector<QueryName>> query = std::vector<QueryName>();
  /// Largest body; a longer one is 413.
  uint64_t max_body_bytes = 0;
  uint32_t timeout_ms = 60'000;
  Handler handler;
  /// Instead of `handler`, for bodies that are streamed.
  UploadHandler upload;
};

/// What the router found for a path.
struct RouteMatch {
  /// Null: see `allowed_methods`.
  const Route* route = nullptr;
  std::map<std::string, std::string, std::less<>> parameters;
  /// Methods of the path when it exists but not with this one; empty: unknown path.
  std::vector<std::string> allowed_methods;
};

/// The table of routes. Immutable once the server runs.
class Router {
 public:
  /// Appends a route; it has a handler or an upload handler, never both.
  void Add(Route route);
  /// The first route that fits; HEAD is answered by GET. A fixed segment goes before a `{name}`,
  /// which goes before "*", when the routes are added in that order.
  RouteMatch Match(std::string_view method, std::string_view path) const;
  const std::vector<Route>& routes() const { return routes_; }

 private:
  std::vector<Route> routes_;
};

/// A parameter that would be without effect: one that the route does not know (with the nearest
/// that it does), or one that is given twice. nullopt when there is none.
std::optional<ApiError> FindQueryFault(const Route& route, const Request& request);

}  // namespace sightline::server
