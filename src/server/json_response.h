// JSON in and out of handlers, bounded in depth.
#pragma once

#include <boost/json/fwd.hpp>
#include <string_view>

#include "base/result.h"
#include "server/http_message.h"

namespace sightline::server {

/// A response with a JSON body.
Response JsonResponse(int status, const boost::json::value& body);

/// An object from a request's body: kInvalidArgument for anything else, with the place of the
/// fault.
base::Result<boost::json::object> ParseJsonObject(std::string_view text, int max_depth);

}  // namespace sightline::server
