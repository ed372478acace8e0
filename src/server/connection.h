// One client's connection: reads requests, has them answered, writes the answers. Private to the
// server; the only other file that knows the network library is server.cc.
#pragma once

#include <boost/asio/awaitable.hpp>
#include <boost/asio/ip/tcp.hpp>
#include <memory>

#include "base/thread_pool.h"
#include "base/ulid.h"
#include "server/admission.h"
#include "server/router.h"
#include "server/server_metrics.h"
#include "server/server_options.h"

namespace sightline::server {

/// What all connections of a server share; lives longer than they.
struct ConnectionContext {
  const Router& router;
  const ServerLimits& limits;
  ServerMetrics& metrics;
  Admission& admission;
  base::UlidGenerator& request_ids;
  base::ThreadPool& search_pool;
  base::ThreadPool& engine_pool;
  base::ThreadPool& draw_pool;
};

/// One connection. Everything runs on the server's single I/O thread.
class Connection {
 public:
  virtual ~Connection() = default;
  /// A connection over an accepted socket; `context` must live longer.
  static std::shared_ptr<Connection> Make(boost::asio::ip::tcp::socket socket,
                                          const ConnectionContext& context);

  /// Serves until either side closes. The connection must stay alive until it has returned.
  virtual boost::asio::awaitable<void> Run() = 0;
  /// Closes now when no request is at work, else after its answer.
  virtual void Stop() = 0;
  /// Cancels the request at work and closes.
  virtual void Abort() = 0;
};

}  // namespace sightline::server
