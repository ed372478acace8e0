// Values of a request's query, checked.
#pragma once

#include <cstdint>
#include <string_view>

#include "base/result.h"
#include "server/http_message.h"

namespace sightline::server {

/// What a whole number may be, and what it is when it is not given.
struct IntegerBounds {
  int64_t low;
  int64_t high;
  int64_t fallback;
};

/// The whole number of that name; kInvalidArgument when it is none or out of bounds.
base::Result<int64_t> QueryInteger(const Request& request, std::string_view name,
                                   const IntegerBounds& bounds);

}  // namespace sightline::server
