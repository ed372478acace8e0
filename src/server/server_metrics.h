// What the server counts, in Prometheus' text form.
#pragma once

#include <memory>
#include <string>
#include <string_view>

#include "engine/engine.h"
#include "server/http_message.h"

namespace sightline::server {

/// One answered request.
struct RequestSample {
  std::string method;
  /// The route's pattern, never the path: labels are bounded.
  std::string route;
  int status = 0;
  double seconds = 0;
};

/// Counters and histograms of one server. Thread-safe.
class ServerMetrics {
 public:
  ServerMetrics();
  ~ServerMetrics();

  /// Counts an answered request.
  void AddRequest(const RequestSample& sample);
  /// Stages of one search.
  void AddSearch(const std::vector<Timing>& stages);
  /// A request or connection that was refused; `reason`: "connections", "in_flight", "head" …
  void AddRefusal(std::string_view reason);
  void SetConnections(size_t count);
  void SetInFlight(size_t count);
  void SetEventStreams(size_t count);
  void AddUploadedBytes(size_t count);

  /// All of it, with the engine's figures as they are now. A figure that cannot be read is absent.
  std::string Render(engine::Engine& engine);

 private:
  struct State;
  const std::unique_ptr<State> state_;
};

}  // namespace sightline::server
