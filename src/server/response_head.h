// The head of a response as bytes.
#pragma once

#include <string>
#include <string_view>

#include "base/clock.h"
#include "server/http_message.h"

namespace sightline::server {

/// What the connection adds to a response.
struct ResponseContext {
  std::string_view request_id;
  bool keep_alive = true;
  /// Time since the request's head was read.
  double total_ms = 0;
  base::UtcTime now;
};

/// Status line and headers, security headers, `x-request-id` and `server-timing` included, up to
/// and with the empty line. The body follows, if the method and the status have one.
std::string FormatResponseHead(const Response& response, const ResponseContext& context);

/// Whether a response of this status has a body and a Content-Length.
bool StatusHasBody(int status);

}  // namespace sightline::server
