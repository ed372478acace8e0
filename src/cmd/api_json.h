// The HTTP API's JSON as the command line reads it from a server. (What `--json` prints is written
// by server/document_json.h and server/search_json.h.)
#pragma once

#include <boost/json/fwd.hpp>
#include <string_view>

#include "base/result.h"
#include "retrieve/search.h"
#include "store/catalog.h"
#include "store/filter.h"
#include "store/unit.h"

namespace sightline::cmd {

/// A filter in the form that `store::ParseFilter` reads.
boost::json::object FilterJson(const store::Filter& filter);

/// The inverse of what the server writes. `kDataLoss` where the server answers what this program
/// does not know; members that are absent keep their defaults.
base::Result<store::Document> ReadDocument(const boost::json::value& json);
base::Result<store::Unit> ReadUnit(const boost::json::value& json);
base::Result<retrieve::SearchResponse> ReadSearchResponse(const boost::json::value& json);

/// Parses a body; `kDataLoss` when it is no JSON.
base::Result<boost::json::value> ParseJson(std::string_view text);

}  // namespace sightline::cmd
