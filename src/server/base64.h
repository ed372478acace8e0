// Base64 (RFC 4648).
#pragma once

#include <string>
#include <string_view>

#include "base/result.h"

namespace sightline::server {

/// The bytes of standard base64, with or without padding; white space is skipped. kInvalidArgument
/// for anything else.
base::Result<std::string> Base64Decode(std::string_view text);

}  // namespace sightline::server
