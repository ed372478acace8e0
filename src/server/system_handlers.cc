// Health, metrics, models, figures of the system, events, openapi.json.
#include <boost/json.hpp>

#include "server/api.h"
#include "server/document_json.h"
#include "server/embedded_files.h"
#include "server/error_response.h"
#include "server/json_response.h"

namespace sightline::server {
namespace {

namespace json = boost::json;

Response Healthy(const ApiContext& /*api*/, const Request& /*request*/) {
  return JsonResponse(200, json::object{{"status", "ok"}});
}

Response Ready(const ApiContext& api, const Request& /*request*/) {
  const base::Result<engine::SystemInfo> info = api.engine.GetSystemInfo();
  if (info.ok()) return JsonResponse(200, json::object{{"status", "ok"}});
  return JsonResponse(503,
                      json::object{{"status", "unavailable"}, {"reason", info.status().message()}});
}

Response Metrics(const ApiContext& api, const Request& /*request*/) {
  api.metrics.SetEventStreams(api.events.open_streams());
  Response response;
  response.AddHeader("Content-Type", "text/plain; version=0.0.4; charset=utf-8");
  response.AddHeader("Cache-Control", "no-store");
  response.body = api.metrics.Render(api.engine);
  return response;
}

Response OpenApi(const ApiContext& /*api*/, const Request& /*request*/) {
  Response response;
  response.AddHeader("Content-Type", "application/json; charset=utf-8");
  response.AddHeader("Cache-Control", "no-cache");
  response.body = EmbeddedOpenApi();
  return response;
}

Response Models(const ApiContext& api, const Request& /*request*/) {
  const base::Result<engine::SystemInfo> info = api.engine.GetSystemInfo();
  if (!info.ok()) return ErrorResponse(info.status());
  json::array models;
  for (const engine::ModelInfo& model : info->models) {
    json::object out;
    out["name"] = model.name;
    out["kind"] = model.kind;
    out["licence"] = TextOrNull(model.licence);
    out["source"] = TextOrNull(model.source);
    out["digest"] = TextOrNull(model.digest);
    out["state"] = model.state;
    out["dims"] = model.dims > 0 ? json::value(model.dims) : json::value(nullptr);
    models.emplace_back(std::move(out));
  }
  return JsonResponse(200, json::object{{"models", std::move(models)}});
}

Response System(const ApiContext& api, const Request& /*request*/) {
  const base::Result<engine::SystemInfo> info = api.engine.GetSystemInfo();
  if (!info.ok()) return ErrorResponse(info.status());
  json::array spaces;
  for (const model::EmbeddingSpace& space : info->spaces) {
    spaces.emplace_back(json::object{
        {"name", space.name},
        {"id", space.Id()},
        {"model", space.model},
        {"dims", space.dims},
        {"multiplicity", space.multiplicity == model::Multiplicity::kMulti ? "multi" : "single"}});
  }
  json::object out;
  out["version"] = info->version;
  out["data_dir_bytes"] = info->data_bytes;
  out["documents"] = info->counts.documents;
  out["documents_ready"] = info->counts.ready;
  out["documents_failed"] = info->counts.failed;
  out["units"] = info->counts.units;
  out["vectors"] = info->counts.vectors;
  out["spaces"] = std::move(spaces);
  out["queue"] = {{"queued", info->queue.queued},
                  {"running", info->queue.running},
                  {"failed", info->queue.dead}};
  return JsonResponse(200, out);
}

Response Events(const ApiContext& api, const Request& /*request*/) {
  std::shared_ptr<EventStream> stream = api.events.Open();
  if (stream == nullptr) {
    api.metrics.AddRefusal("event_streams");
    return ErrorResponse({503, "too_many_event_streams",
                          "too many clients follow events; ask the list instead", ""});
  }
  Response response;
  response.AddHeader("Content-Type", "text/event-stream; charset=utf-8");
  response.AddHeader("Cache-Control", "no-store");
  response.events = std::move(stream);
  return response;
}

}  // namespace

void AddSystemRoutes(const ApiContext& api, Router& router) {
  const auto add = [&](const char* pattern, HandlerPool pool,
                       Response (*handle)(const ApiContext&, const Request&)) {
    Route route;
    route.method = "GET";
    route.pattern = pattern;
    route.pool = pool;
    route.timeout_ms = api.options.limits.request_timeout_ms;
    route.handler = [api, handle](const Request& request) { return handle(api, request); };
    router.Add(std::move(route));
  };
  // Liveness says that the I/O thread runs, so that is where it is answered.
  add("/health/live", HandlerPool::kInline, &Healthy);
  add("/health/ready", HandlerPool::kEngine, &Ready);
  add("/metrics", HandlerPool::kEngine, &Metrics);
  add("/openapi.json", HandlerPool::kInline, &OpenApi);
  add("/v1/models", HandlerPool::kEngine, &Models);
  add("/v1/system", HandlerPool::kEngine, &System);
  add("/v1/events", HandlerPool::kInline, &Events);
}

}  // namespace sightline::server
