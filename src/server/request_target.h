// The target of a request line: a path and a query, decoded and checked.
#pragma once

#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/result.h"

namespace sightline::server {

/// What "/v1/documents/X?page=4" says.
struct RequestTarget {
  std::string path;
  std::vector<std::pair<std::string, std::string>> query;
};

/// Reads a target in origin form. kInvalidArgument for another form, a broken escape, text that is
/// no UTF-8, NUL or another control character, a backslash in the path, or a "." or ".." segment,
/// escaped or not.
base::Result<RequestTarget> ParseRequestTarget(std::string_view target);

/// What a `+` stands for: itself in a path, a space in a query.
enum class PlusSign { kPlus, kSpace };
/// `text` with %XX decoded.
base::Result<std::string> PercentDecode(std::string_view text, PlusSign plus);

}  // namespace sightline::server
