// Keeps other web sites away from a server on this machine: the names it answers to (DNS rebinding)
// and the pages that may change its state (cross-site requests).
#pragma once

#include <string_view>

#include "base/status.h"
#include "server/http_message.h"

namespace sightline::server {

/// kPermissionDenied unless the Host header names this machine ("127.0.0.1", "localhost", "[::1]",
/// any port: a tunnel may change it), and, when the method changes something, Origin and
/// Sec-Fetch-Site, where a browser sent them, say that the page is our own. kInvalidArgument
/// without a Host.
base::Status CheckOrigin(const Request& request);

/// Whether `address` is a loopback one: "127.x.y.z", "::1" or "localhost".
bool IsLoopbackName(std::string_view address);

}  // namespace sightline::server
