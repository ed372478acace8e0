// Documents, units and places in them as JSON.
#pragma once

#include <boost/json/fwd.hpp>

#include "media/geometry.h"
#include "store/unit.h"

namespace sightline::server {

/// A document of the API.
boost::json::object DocumentToJson(const store::Document& document);
/// A unit of the API; `document` is the one that it belongs to.
boost::json::object UnitToJson(const store::Unit& unit, const store::Document& document);
/// Page and box, or a time range.
boost::json::object LocatorToJson(const store::Locator& locator, const store::Document& document);
/// A box on a page of that size.
boost::json::object BoxToJson(const media::Box& box, const store::Locator& locator);
/// The text, or null when it is empty.
boost::json::value TextOrNull(const std::string& text);

}  // namespace sightline::server
