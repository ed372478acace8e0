#include "server/base64.h"

#include <cstdint>

namespace sightline::server {
namespace {

int Value(char c) {
  if (c >= 'A' && c <= 'Z') return c - 'A';
  if (c >= 'a' && c <= 'z') return c - 'a' + 26;
  if (c >= '0' && c <= '9') return c - '0' + 52;
  if (c == '+') return 62;
  return c == '/' ? 63 : -1;
}

}  // namespace

base::Result<std::string> Base64Decode(std::string_view text) {
  std::string out;
  out.reserve(text.size() / 4 * 3 + 3);
  uint32_t bits = 0;
  int bit_count = 0;
  size_t characters = 0;
  size_t padding = 0;
  for (const char c : text) {
    if (c == ' ' || c == '\t' || c == '\r' || c == '\n') continue;
    if (c == '=') {
      ++padding;
      continue;
    }
    const int value = Value(c);
    if (value < 0 || padding > 0) return base::InvalidArgument("not base64");
    bits = (bits << 6) | static_cast<uint32_t>(value);
    bit_count += 6;
    ++characters;
    if (bit_count >= 8) {
      bit_count -= 8;
      out.push_back(static_cast<char>((bits >> bit_count) & 0xFF));
    }
  }
  // One character over is less than a byte; padding, when there is any, completes a group of four.
  if (characters % 4 == 1 || padding > 2 || (padding > 0 && (characters + padding) % 4 != 0)) {
    return base::InvalidArgument("base64 text is cut off");
  }
  return out;
}

}  // namespace sightline::server
