#include "server/query_value.h"

#include <charconv>
#include <optional>
#include <string>

namespace sightline::server {

base::Result<int64_t> QueryInteger(const Request& request, std::string_view name,
                                   const IntegerBounds& bounds) {
  const std::optional<std::string> text = request.query_value(name);
  if (!text.has_value()) return bounds.fallback;
  int64_t value = 0;
  const auto [end, error] = std::from_chars(text->data(), text->data() + text->size(), value);
  if (error != std::errc() || end != text->data() + text->size() || value < bounds.low ||
      value > bounds.high) {
    return base::InvalidArgument(std::string(name) + " is not a whole number from " +
                                 std::to_string(bounds.low) + " to " + std::to_string(bounds.high));
  }
  return value;
}

}  // namespace sightline::server
