#include "text/character_class.h"

#include <unicode/uchar.h>
#include <unicode/uscript.h>

#include <array>

namespace sightline::text {
namespace {

CharacterClass ClassOfLetter(UChar32 c) {
  UErrorCode error = U_ZERO_ERROR;
  switch (uscript_getScript(c, &error)) {
    case USCRIPT_HAN:
      return CharacterClass::kHan;
    case USCRIPT_HIRAGANA:
    case USCRIPT_KATAKANA:
    case USCRIPT_HANGUL:
    case USCRIPT_THAI:
    case USCRIPT_LAO:
    case USCRIPT_KHMER:
    case USCRIPT_MYANMAR:
      return CharacterClass::kDictionary;
    default:
      return c == 0x30FC ? CharacterClass::kDictionary : CharacterClass::kWord;
  }
}

CharacterClass Classify(UChar32 c) {
  if (c >= 0x1F1E6 && c <= 0x1F1FF) return CharacterClass::kRegional;
  if (c >= 0x1F3FB && c <= 0x1F3FF) return CharacterClass::kSeparator;  // skin tones alone
  const int8_t type = u_charType(c);
  constexpr uint32_t kWordMask =
      U_GC_L_MASK | U_GC_M_MASK | U_GC_ND_MASK | U_GC_NL_MASK | U_GC_NO_MASK;
  if ((U_MASK(type) & kWordMask) != 0) return ClassOfLetter(c);
  if (c >= 0x80 &&
      (type == U_CURRENCY_SYMBOL || u_hasBinaryProperty(c, UCHAR_EXTENDED_PICTOGRAPHIC) != 0)) {
    return CharacterClass::kPictograph;
  }
  return CharacterClass::kSeparator;
}

using AsciiTable = std::array<CharacterClass, 128>;

}  // namespace

CharacterClass ClassOf(char32_t c) {
  static const AsciiTable kAscii = [] {
    AsciiTable table{};
    for (size_t i = 0; i < table.size(); ++i) table[i] = Classify(static_cast<UChar32>(i));
    return table;
  }();
  if (c < kAscii.size()) return kAscii[c];
  if (c >= 0x4E00 && c <= 0x9FFF) return CharacterClass::kHan;
  return Classify(static_cast<UChar32>(c));
}

}  // namespace sightline::text
