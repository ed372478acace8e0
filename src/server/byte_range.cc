#include "server/byte_range.h"

#include <algorithm>
#include <charconv>

namespace sightline::server {
namespace {

// All of `text` as a number; nullopt when it is not one.
std::optional<uint64_t> ReadNumber(std::string_view text) {
  uint64_t value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc() || end != text.data() + text.size()) return std::nullopt;
  return value;
}

}  // namespace

RangeRequest ParseRange(std::string_view header, uint64_t size_bytes) {
  constexpr std::string_view kUnit = "bytes=";
  const RangeRequest whole;
  if (!header.starts_with(kUnit)) return whole;
  header.remove_prefix(kUnit.size());
  const size_t dash = header.find('-');
  if (dash == std::string_view::npos || header.find(',') != std::string_view::npos) return whole;
  const std::string_view first_text = header.substr(0, dash);
  const std::string_view last_text = header.substr(dash + 1);
  const std::optional<uint64_t> last = ReadNumber(last_text);
  if (!last_text.empty() && !last.has_value()) return whole;

  RangeRequest request;
  if (first_text.empty()) {
    // The last N bytes.
    if (!last.has_value()) return whole;
    const uint64_t size = std::min(*last, size_bytes);
    request.kind = size == 0 ? RangeRequest::Kind::kUnsatisfiable : RangeRequest::Kind::kPart;
    request.range = {size_bytes - size, size};
    return request;
  }
  const std::optional<uint64_t> first = ReadNumber(first_text);
  if (!first.has_value() || (last.has_value() && *last < *first)) return whole;
  if (*first >= size_bytes) {
    request.kind = RangeRequest::Kind::kUnsatisfiable;
    return request;
  }
  const uint64_t end = last.has_value() ? std::min(*last, size_bytes - 1) : size_bytes - 1;
  request.kind = RangeRequest::Kind::kPart;
  request.range = {*first, end - *first + 1};
  return request;
}

}  // namespace sightline::server
