#include "media/join_lines.h"

#include <algorithm>
#include <cstddef>
#include <string_view>

#include "base/utf8.h"

namespace sightline::media {
namespace {

constexpr std::size_t kLeaderDots = 4;  // "..." and "……" are punctuation
/// A wrapped line ends so many of its heights before the longest at most: one character that did
/// not fit and one that may not start a line.
constexpr double kWrapReach = 2;

/// Han, kana, CJK punctuation and full-width forms: written without spaces between words.
bool IsUnspaced(char32_t c) {
  return (c >= 0x2E80 && c <= 0x30FF) || (c >= 0x3400 && c <= 0x9FFF) ||
         (c >= 0xF900 && c <= 0xFAFF) || (c >= 0xFF01 && c <= 0xFF60) ||
         (c >= 0x20000 && c <= 0x3FFFF);
}

char32_t LastCodePoint(std::string_view text) {
  std::size_t at = text.size() - 1;
  while (at > 0 && (static_cast<unsigned char>(text[at]) & 0xC0U) == 0x80U) --at;
  return base::DecodeUtf8(text.substr(at)).value;
}

bool IsLeaderDot(char32_t c) {
  return c == U'.' || c == U'·' || c == U'․' || c == U'‥' || c == U'…' || c == U'．';
}

/// Bytes of the leader that `text` starts with: equal dots with at most one space between; 0 when
/// they are too few.
std::size_t LeaderBytes(std::string_view text) {
  const char32_t dot = base::DecodeUtf8(text).value;
  if (!IsLeaderDot(dot)) return 0;
  std::size_t dots = 0;
  std::size_t end = 0;
  std::size_t at = 0;
  while (at < text.size()) {
    const auto next = base::DecodeUtf8(text.substr(at));
    if (next.value != dot) break;
    ++dots;
    end = at + next.size_bytes;
    at = end < text.size() && text[end] == ' ' ? end + 1 : end;
  }
  return dots >= kLeaderDots ? end : 0;
}

std::string ShortenLeaders(std::string_view text) {
  std::string out;
  out.reserve(text.size());
  std::size_t at = 0;
  while (at < text.size()) {
    if (const std::size_t leader = LeaderBytes(text.substr(at)); leader > 0) {
      out += "…";
      at += leader;
      continue;
    }
    const std::size_t length = base::DecodeUtf8(text.substr(at)).size_bytes;
    out += text.substr(at, length);
    at += length;
  }
  return out;
}

}  // namespace

std::string JoinLines(std::span<const TextLine> lines) {
  double right = 0;
  for (const TextLine& line : lines) right = std::max(right, line.box.right());
  std::string text;
  bool wraps = true;
  for (const TextLine& line : lines) {
    if (line.text.empty()) continue;
    const bool tight = wraps && !text.empty() && IsUnspaced(LastCodePoint(text)) &&
                       IsUnspaced(base::DecodeUtf8(line.text).value);
    if (!text.empty() && !tight && text.back() != ' ') text += ' ';
    text += line.text;
    wraps = right - line.box.right() <= kWrapReach * line.box.height;
  }
  return ShortenLeaders(text);
}

}  // namespace sightline::media
