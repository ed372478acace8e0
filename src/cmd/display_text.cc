#include "cmd/display_text.h"

#include <fmt/format.h>

#include "base/utf8.h"

namespace sightline::cmd {
namespace {

size_t ColumnsOf(char32_t c) {
  const bool wide = (c >= 0x1100 && c <= 0x115F) || (c >= 0x2E80 && c <= 0xA4CF) ||
                    (c >= 0xAC00 && c <= 0xD7A3) || (c >= 0xF900 && c <= 0xFAFF) ||
                    (c >= 0xFE30 && c <= 0xFE6F) || (c >= 0xFF00 && c <= 0xFF60) ||
                    (c >= 0xFFE0 && c <= 0xFFE6) || (c >= 0x1F300 && c <= 0x1FAFF) ||
                    (c >= 0x20000 && c <= 0x3FFFD);
  if (wide) return 2;
  const bool mark = (c >= 0x300 && c <= 0x36F) || (c >= 0x200B && c <= 0x200F) ||
                    (c >= 0xFE00 && c <= 0xFE0F) || c == 0x2060 || c == 0xFEFF;
  return mark ? 0 : 1;
}

/// Controls, and the marks that turn the direction of everything that follows.
bool IsControl(char32_t c) {
  return c < 0x20 || (c >= 0x7F && c < 0xA0) || (c >= 0x202A && c <= 0x202E) ||
         (c >= 0x2066 && c <= 0x2069) || c == 0x2028 || c == 0x2029;
}

constexpr int64_t kMsPerSecond = 1000;
constexpr int64_t kSecondsPerMinute = 60;
constexpr int64_t kSecondsPerHour = 3600;

}  // namespace

size_t DisplayWidth(std::string_view text) {
  size_t columns = 0;
  for (const char32_t c : base::Utf8View(text)) columns += ColumnsOf(c);
  return columns;
}

std::string Printable(std::string_view text) {
  std::string printable;
  for (const char32_t c : base::Utf8View(text))
    base::AppendUtf8(IsControl(c) ? U' ' : c, printable);
  return printable;
}

std::string FitToWidth(std::string_view text, size_t columns) {
  std::string printable = Printable(text);
  if (DisplayWidth(printable) <= columns) return printable;
  if (columns == 0) return "";
  std::string cut;
  size_t used = 1;  // the ellipsis
  for (const char32_t c : base::Utf8View(printable)) {
    used += ColumnsOf(c);
    if (used > columns) break;
    base::AppendUtf8(c, cut);
  }
  return cut + "…";
}

std::string ClockText(int64_t ms) {
  const int64_t seconds = ms / kMsPerSecond;
  const int64_t minutes = seconds / kSecondsPerMinute % kSecondsPerMinute;
  const int64_t rest = seconds % kSecondsPerMinute;
  if (seconds < kSecondsPerHour) return fmt::format("{}:{:02}", minutes, rest);
  return fmt::format("{}:{:02}:{:02}", seconds / kSecondsPerHour, minutes, rest);
}

std::string TimeRangeText(int64_t start_ms, int64_t end_ms) {
  if (end_ms <= start_ms) return ClockText(start_ms);
  return ClockText(start_ms) + "–" + ClockText(end_ms);
}

}  // namespace sightline::cmd
