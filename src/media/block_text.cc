#include "media/block_text.h"

#include <cstddef>
#include <string_view>

#include "base/utf8.h"

namespace sightline::media {
namespace {

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

}  // namespace

std::string BlockText(const LayoutBlock& block) {
  const bool rows = block.kind == BlockKind::kTable || block.kind == BlockKind::kFigure ||
                    block.kind == BlockKind::kList;
  std::string text;
  for (const TextLine& line : block.lines) {
    if (line.text.empty()) continue;
    if (!text.empty()) {
      const bool unspaced =
          IsUnspaced(LastCodePoint(text)) && IsUnspaced(base::DecodeUtf8(line.text).value);
      if (rows) {
        text.push_back('\n');
      } else if (!unspaced) {
        text.push_back(' ');
      }
    }
    text.append(line.text);
  }
  return text;
}

}  // namespace sightline::media
