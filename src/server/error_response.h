// Failures as responses: {"error":{"message","type","code","param"}}.
#pragma once

#include <string>
#include <string_view>

#include "base/status.h"
#include "server/http_message.h"

namespace sightline::server {

/// What a client is told of a failure.
struct ApiError {
  int status = 500;
  /// Stable snake_case name, for programs.
  std::string code;
  /// For people: what is wrong and what to do.
  std::string message;
  /// The field or parameter that is wrong; may be empty.
  std::string param;
};

/// The response for an error; `type` follows from the status ("invalid_request", "overloaded" …).
Response ErrorResponse(const ApiError& error);
/// The response for a failed Status. `param` names what was wrong, when that is known.
Response ErrorResponse(const base::Status& status, std::string_view param = {});
/// The HTTP status for a Status code.
int HttpStatus(base::StatusCode code);

}  // namespace sightline::server
