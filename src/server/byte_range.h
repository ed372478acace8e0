// The Range header (RFC 9110, section 14): one range of bytes.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

namespace sightline::server {

/// A part of a file, never empty.
struct ByteRange {
  uint64_t first = 0;
  uint64_t size_bytes = 0;
};

/// What a Range header asks of a file.
struct RangeRequest {
  /// How to answer.
  enum class Kind {
    kWhole,          ///< no range, another unit, several ranges or one that cannot be read
    kPart,           ///< `range`
    kUnsatisfiable,  ///< it begins behind the end: 416
  };
  Kind kind = Kind::kWhole;
  ByteRange range;
};

/// Reads `header` ("bytes=0-99", "bytes=100-", "bytes=-5") for a file of `size_bytes`.
RangeRequest ParseRange(std::string_view header, uint64_t size_bytes);

}  // namespace sightline::server
