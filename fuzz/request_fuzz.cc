// Whole requests, from the request line to the handler's answer, over an engine that holds nothing.
#include <filesystem>
#include <memory>
#include <string>
#include <variant>

#include "base/check.h"
#include "fuzz/byte_source.h"
#include "fuzz/empty_engine.h"
#include "fuzz/target.h"
#include "server/api.h"
#include "server/origin_check.h"
#include "server/request_target.h"

namespace sightline::fuzz {
namespace {

// What handlers share; every run has its own, so that none sees what another one did.
struct Api {
  EmptyEngine engine;
  server::EventHub events{engine, 2};
  server::ServerMetrics metrics;
  server::WebAssets web{"/nonexistent"};
  server::ServerOptions options = [] {
    server::ServerOptions made;
    made.temporary_dir = std::filesystem::temp_directory_path();
    return made;
  }();
  server::ApiContext context{engine, events, metrics, web, options};
  server::Router router = server::MakeApiRouter(context);
};

std::string_view WithoutReturn(std::string_view line) {
  return line.ends_with('\r') ? line.substr(0, line.size() - 1) : line;
}

// "METHOD TARGET", headers, an empty line, the body: the form of HTTP/1.1, read leniently.
server::Request ReadRequest(std::string_view input, std::string_view& target) {
  ByteSource source(input);
  ByteSource line(WithoutReturn(source.TakeUntil('\n')));
  server::Request request;
  request.method = line.TakeUntil(' ');
  target = line.TakeUntil(' ');
  while (!source.IsEmpty()) {
    ByteSource field(WithoutReturn(source.TakeUntil('\n')));
    if (field.IsEmpty()) break;
    server::Header header;
    header.name = field.TakeUntil(':');
    field.Take(1);
    header.value = field.Rest();
    request.headers.push_back(std::move(header));
  }
  request.body = source.Rest();
  return request;
}

void CheckResponse(server::Response response) {
  CHECK(response.status >= 200 && response.status < 600, std::to_string(response.status));
  for (const server::Header& header : response.headers) {
    CHECK(header.value.find_first_of(std::string_view("\r\n\0", 3)) == std::string::npos,
          "a header that ends early: " + header.name);
  }
  if (response.source == nullptr) return;
  std::uint64_t sent = 0;
  for (;;) {
    const auto piece = response.source->Next();
    if (!piece.ok() || piece->empty()) break;
    sent += piece->size();
    CHECK(sent <= response.source_bytes, "more than was announced");
  }
}

void Answer(const server::Route& route, const server::Request& request) {
  if (route.handler != nullptr) {
    CheckResponse(route.handler(request));
    return;
  }
  auto begun = route.upload(request);
  if (auto* response = std::get_if<server::Response>(&begun)) {
    CheckResponse(std::move(*response));
    return;
  }
  const auto sink = std::get<std::unique_ptr<server::BodySink>>(std::move(begun));
  if (sink->Append(request.body).ok()) CheckResponse(sink->Finish());
}

// What the connection does with a request, without the network.
void Run(std::string_view input) {
  std::string_view raw_target;
  server::Request request = ReadRequest(input, raw_target);
  auto target = server::ParseRequestTarget(raw_target);
  if (!target.ok() || !server::CheckOrigin(request).ok()) return;
  request.path = std::move(target->path);
  request.query = std::move(target->query);
  Api api;
  server::RouteMatch match = api.router.Match(request.method, request.path);
  if (match.route == nullptr) return;
  request.parameters = std::move(match.parameters);
  if (const auto fault = server::FindQueryFault(*match.route, request)) {
    CheckResponse(server::ErrorResponse(*fault));
  } else if (request.body.size() <= match.route->max_body_bytes) {
    Answer(*match.route, request);
  }
}

const Registration kTarget({.name = "request", .max_bytes = 4096, .run = &Run});

}  // namespace
}  // namespace sightline::fuzz
