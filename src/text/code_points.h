// Walking UTF-8 one code point at a time; strict, inline, allocates nothing.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>

namespace sightline::text {

/// What `NextCodePoint` gives for a byte that belongs to no code point.
inline constexpr char32_t kInvalidCodePoint = 0xFFFFFFFF;

/// Whether a byte starts a code point in valid UTF-8.
constexpr bool StartsCodePoint(char byte) { return (static_cast<uint8_t>(byte) & 0xC0) != 0x80; }

/// Reads the code point at byte `*at` (less than the size of `utf8`) and moves `*at` behind it.
/// Overlong forms, surrogates, values above U+10FFFF and cut sequences give `kInvalidCodePoint` and
/// move by one byte.
constexpr char32_t NextCodePoint(std::string_view utf8, size_t* at) {
  const auto byte = [utf8](size_t i) { return static_cast<uint8_t>(utf8[i]); };
  const uint8_t lead = byte((*at)++);
  if (lead < 0x80) return lead;
  if (lead < 0xC2 || lead > 0xF4) return kInvalidCodePoint;
  const size_t more = lead < 0xE0 ? 1 : (lead < 0xF0 ? 2 : 3);
  if (utf8.size() - *at < more) return kInvalidCodePoint;
  char32_t c = lead & (0x3FU >> more);
  for (size_t i = 0; i < more; ++i) {
    const uint8_t next = byte(*at + i);
    if ((next & 0xC0) != 0x80) return kInvalidCodePoint;
    c = (c << 6) | (next & 0x3FU);
  }
  const bool overlong = (more == 2 && c < 0x800) || (more == 3 && c < 0x10000);
  if (overlong || c > 0x10FFFF || (c >= 0xD800 && c <= 0xDFFF)) return kInvalidCodePoint;
  *at += more;
  return c;
}

/// Number of code points of valid UTF-8.
constexpr size_t CountCodePoints(std::string_view utf8) {
  size_t count = 0;
  for (const char byte : utf8) count += StartsCodePoint(byte) ? 1U : 0U;
  return count;
}

}  // namespace sightline::text
