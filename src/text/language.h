// Which language a text is in, as far as search needs to know it: by script, not by dictionary.
#pragma once

#include <string_view>

namespace sightline::text {

/// The languages that Sightline treats apart.
enum class Language { kChinese, kEnglish, kOther };

/// Counts scripts in the first 64 KiB. Han outweighs Latin (one Han character says about as much as
/// four letters), so a Chinese page full of English identifiers is Chinese. Kana or Hangul beside
/// Han means another language; so do other scripts in the majority, and text without letters.
/// English stands for every text in Latin letters. Deterministic, allocates nothing.
Language DetectLanguage(std::string_view utf8);

/// BCP 47 code: "zh", "en" or "und".
std::string_view LanguageCode(Language language);

/// The inverse of `LanguageCode`; every other code is `kOther`.
Language LanguageFromCode(std::string_view code);

}  // namespace sightline::text
