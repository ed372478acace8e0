#include "text/language.h"

#include <unicode/uchar.h>
#include <unicode/uscript.h>

#include <cstddef>
#include <cstdint>

#include "text/code_points.h"

namespace sightline::text {
namespace {

constexpr size_t kMaxLookedAtBytes = size_t{64} << 10;
constexpr uint64_t kLettersAHanCharacterIsWorth = 4;

struct ScriptCounts {
  uint64_t han = 0;
  uint64_t latin = 0;
  uint64_t kana_or_hangul = 0;
  uint64_t other = 0;
};

void Count(UChar32 c, ScriptCounts* counts) {
  if (c < 0x80) {
    if ((c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z')) ++counts->latin;
    return;
  }
  if (u_isalpha(c) == 0) return;
  UErrorCode error = U_ZERO_ERROR;
  switch (uscript_getScript(c, &error)) {
    case USCRIPT_HAN:
      ++counts->han;
      break;
    case USCRIPT_LATIN:
      ++counts->latin;
      break;
    case USCRIPT_HIRAGANA:
    case USCRIPT_KATAKANA:
    case USCRIPT_HANGUL:
      ++counts->kana_or_hangul;
      break;
    case USCRIPT_COMMON:
    case USCRIPT_INHERITED:
      break;
    default:
      ++counts->other;
  }
}

}  // namespace

Language DetectLanguage(std::string_view utf8) {
  utf8 = utf8.substr(0, kMaxLookedAtBytes);
  ScriptCounts counts;
  for (size_t at = 0; at < utf8.size();) {
    const char32_t c = NextCodePoint(utf8, &at);
    if (c != kInvalidCodePoint) Count(static_cast<UChar32>(c), &counts);
  }
  const uint64_t han = counts.han * kLettersAHanCharacterIsWorth;
  const uint64_t foreign = counts.other + counts.kana_or_hangul * kLettersAHanCharacterIsWorth;
  // A tenth of kana makes Japanese of any amount of Han; a quoted word or a name does not.
  const bool japanese_or_korean = counts.kana_or_hangul * 10 > counts.han;
  if (han + counts.latin + foreign == 0) return Language::kOther;
  if (foreign > han && foreign > counts.latin) return Language::kOther;
  if (han * 4 >= counts.latin && han > 0) {
    return japanese_or_korean ? Language::kOther : Language::kChinese;
  }
  return Language::kEnglish;
}

std::string_view LanguageCode(Language language) {
  switch (language) {
    case Language::kChinese:
      return "zh";
    case Language::kEnglish:
      return "en";
    case Language::kOther:
      break;
  }
  return "und";
}

Language LanguageFromCode(std::string_view code) {
  if (code == "zh") return Language::kChinese;
  if (code == "en") return Language::kEnglish;
  return Language::kOther;
}

}  // namespace sightline::text
