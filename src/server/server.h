// The HTTP server.
#pragma once

#include <memory>
#include <string>

#include "base/result.h"
#include "engine/engine.h"
#include "server/server_options.h"

namespace sightline::server {

/// A running server. Thread-safe.
class Server {
 public:
  /// Listens and serves `engine`, which must live longer, and announces its URL to it.
  /// kInvalidArgument for an address that is not a loopback one (others need keys and TLS, which
  /// this version does not have), kUnavailable for a port in use, kPermissionDenied for one that is
  /// reserved.
  static base::Result<std::unique_ptr<Server>> Start(const ServerOptions& options,
                                                     engine::Engine& engine);

  /// Stops, if that was not done.
  virtual ~Server() = default;
  /// Takes no more connections, lets requests at work end within `shutdown_ms`, then cancels them.
  /// Idempotent; blocks until all is closed.
  virtual void Stop() = 0;
  virtual int port() const = 0;
  /// "http://127.0.0.1:7801"
  virtual std::string url() const = 0;
};

}  // namespace sightline::server
