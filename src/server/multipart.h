// multipart/form-data (RFC 7578), for forms with a picture.
#pragma once

#include <map>
#include <string>
#include <string_view>

#include "base/result.h"

namespace sightline::server {

/// The fields of a form: name → bytes. kInvalidArgument when the body is not such a form, names a
/// field twice or has more than 16 parts. Nothing is copied but the fields.
base::Result<std::map<std::string, std::string>> ParseMultipart(std::string_view content_type,
                                                                std::string_view body);

}  // namespace sightline::server
