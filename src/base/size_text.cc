#include "base/size_text.h"

#include <array>
#include <charconv>
#include <cmath>
#include <cstdio>

namespace sightline::base {
namespace {

constexpr std::string_view kPrefixes = "KMGTPE";

}  // namespace

std::string FormatSize(uint64_t size_bytes) {
  if (size_bytes < 1024) return std::to_string(size_bytes) + " B";
  double value = static_cast<double>(size_bytes) / 1024;
  size_t prefix = 0;
  // 1023.5 and more would be printed as 1024.
  while (value >= 1023.5 && prefix + 1 < kPrefixes.size()) {
    value /= 1024;
    ++prefix;
  }
  std::array<char, 32> out;
  const int length = std::snprintf(
      out.data(), out.size(), value < 99.95 ? "%.1f %ciB" : "%.0f %ciB", value, kPrefixes[prefix]);
  return {out.data(), static_cast<size_t>(length)};
}

Result<uint64_t> ParseSize(std::string_view text) {
  const Status malformed =
      InvalidArgument("not a size (512, 64 KiB, 1.5 GiB): " + std::string(text.substr(0, 64)));
  double value = 0;
  const auto [end, error] =
      std::from_chars(text.data(), text.data() + text.size(), value, std::chars_format::fixed);
  if (error != std::errc() || !(value >= 0)) return malformed;
  std::string_view unit = text.substr(static_cast<size_t>(end - text.data()));
  while (!unit.empty() && unit[0] == ' ') unit.remove_prefix(1);
  int power = 0;
  if (!unit.empty() && unit[0] != 'B') {
    const char upper = unit[0] >= 'a' && unit[0] <= 'z' ? static_cast<char>(unit[0] - 32) : unit[0];
    const size_t at = kPrefixes.find(upper);
    if (at == std::string_view::npos) return malformed;
    power = static_cast<int>(at) + 1;
    unit.remove_prefix(1);
    if (!unit.empty() && unit[0] == 'i') unit.remove_prefix(1);
  }
  if (unit != "" && unit != "B") return malformed;
  const double bytes = std::ldexp(value, 10 * power);
  if (bytes >= 9007199254740992.0) return malformed;
  return static_cast<uint64_t>(bytes);
}

}  // namespace sightline::base
