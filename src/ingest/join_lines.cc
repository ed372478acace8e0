#include <cstdint>

#include "ingest/compose.h"

namespace sightline::ingest {
namespace {

/// Whether the code point that ends (or begins) at this place is written without spaces: Han, kana
/// and CJK punctuation. Three-byte UTF-8 from U+2E80 to U+9FFF, U+F900–U+FAFF and U+FF00–U+FFEF.
bool IsSpacelessAt(std::string_view text, std::size_t begin) {
  if (begin + 3 > text.size()) return false;
  const auto byte = [&](std::size_t i) {
    return static_cast<std::uint32_t>(static_cast<unsigned char>(text[begin + i]));
  };
  if ((byte(0) & 0xF0U) != 0xE0U) return false;
  const std::uint32_t code =
      ((byte(0) & 0x0FU) << 12U) | ((byte(1) & 0x3FU) << 6U) | (byte(2) & 0x3FU);
  return (code >= 0x2E80 && code <= 0x9FFF) || (code >= 0xF900 && code <= 0xFAFF) ||
         (code >= 0xFF00 && code <= 0xFFEF);
}

bool EndsSpaceless(std::string_view text) {
  return text.size() >= 3 && IsSpacelessAt(text, text.size() - 3);
}

}  // namespace

std::string JoinLines(std::span<const media::TextLine> lines) {
  std::string joined;
  for (const media::TextLine& line : lines) {
    if (line.text.empty()) continue;
    const bool tight = EndsSpaceless(joined) && IsSpacelessAt(line.text, 0);
    if (!joined.empty() && !tight && joined.back() != ' ') joined += ' ';
    joined += line.text;
  }
  return joined;
}

}  // namespace sightline::ingest
