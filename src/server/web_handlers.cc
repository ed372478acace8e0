// The web page: its files, and the page itself for every address that it draws ("/library").
#include "base/digest.h"
#include "server/api.h"
#include "server/error_response.h"

namespace sightline::server {
namespace {

bool LooksLikeFile(std::string_view path) {
  return path.substr(path.rfind('/') + 1).find('.') != std::string_view::npos;
}

Response Page(const ApiContext& api, const Request& request) {
  const bool is_page = request.path == "/" || !LooksLikeFile(request.path);
  const bool is_api = request.path == "/v1" || request.path.starts_with("/v1/");
  std::optional<std::string> content;
  if (!is_api) content = is_page ? api.web.Index() : api.web.Find(request.path);
  if (!content.has_value()) {
    return ErrorResponse({404, "not_found", "there is nothing at this address", ""});
  }
  Response response;
  std::string entity_tag(1, '"');
  entity_tag.append(base::Sha256Hex(*content), 0, 32).push_back('"');
  response.AddHeader("ETag", entity_tag);
  // Names below /assets/ carry a digest of their content.
  response.AddHeader("Cache-Control", request.path.starts_with("/assets/")
                                          ? "public, max-age=31536000, immutable"
                                          : "no-cache");
  if (MatchesEntityTag(request.header("if-none-match"), entity_tag)) {
    response.status = 304;
    return response;
  }
  response.AddHeader("Content-Type",
                     std::string(WebAssets::ContentType(is_page ? "/index.html" : request.path)));
  response.body = *std::move(content);
  return response;
}

}  // namespace

void AddWebRoutes(const ApiContext& api, Router& router) {
  router.Add({.method = "GET",
              .pattern = "/*",
              .query = std::nullopt,  // The page keeps its state there.
              .timeout_ms = api.options.limits.request_timeout_ms,
              .handler = [api](const Request& request) { return Page(api, request); },
              .upload = nullptr});
}

Router MakeApiRouter(const ApiContext& api) {
  Router router;
  AddDocumentRoutes(api, router);
  AddContentRoutes(api, router);
  AddSearchRoutes(api, router);
  AddSystemRoutes(api, router);
  AddWebRoutes(api, router);
  return router;
}

}  // namespace sightline::server
