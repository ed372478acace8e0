// The operations of the HTTP API: what every group of handlers works with, and the groups.
#pragma once

#include <string>

#include "engine/engine.h"
#include "server/event_hub.h"
#include "server/router.h"
#include "server/server_metrics.h"
#include "server/server_options.h"
#include "server/web_assets.h"

namespace sightline::server {

/// What handlers share. Everything in it is thread-safe and lives longer than the router.
struct ApiContext {
  engine::Engine& engine;
  EventHub& events;
  ServerMetrics& metrics;
  const WebAssets& web;
  const ServerOptions& options;
};

/// Upload, list, show, remove, retry and the units of a document.
void AddDocumentRoutes(const ApiContext& api, Router& router);
/// Bytes of documents, page pictures and previews.
void AddContentRoutes(const ApiContext& api, Router& router);
void AddSearchRoutes(const ApiContext& api, Router& router);
/// Health, metrics, models, figures of the system, events, the description of the API.
void AddSystemRoutes(const ApiContext& api, Router& router);
/// The web page, last: it takes every other path.
void AddWebRoutes(const ApiContext& api, Router& router);

/// All of them.
Router MakeApiRouter(const ApiContext& api);

/// Whether a response to `If-None-Match: header` is 304 for this entity tag.
bool MatchesEntityTag(std::string_view header, std::string_view entity_tag);

}  // namespace sightline::server
