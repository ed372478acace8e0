// Questions from JSON and their answers as JSON.
#pragma once

#include <boost/json/fwd.hpp>
#include <string>

#include "base/result.h"
#include "retrieve/search.h"
#include "server/server_options.h"

namespace sightline::server {

/// A question as a client asks it.
struct SearchQuestion {
  retrieve::SearchRequest request;
  /// Bytes of the picture; empty: none. `request.image_path` is set by whoever stores them.
  std::string image;
};

/// Reads a search body. kInvalidArgument names the field; an unknown one is refused with the
/// nearest known name. Bounds: `limits` and `top_k` 1 to 1,000.
base::Result<SearchQuestion> SearchFromJson(const boost::json::object& body,
                                            const ServerLimits& limits);

/// The response of the API.
boost::json::object SearchToJson(const retrieve::SearchResponse& response);

}  // namespace sightline::server
