// Which language a text is in, by script.
#pragma once

#include <string_view>

namespace sightline::text {

enum class Language { kOther, kEnglish, kChinese };

/// Deterministic, by counting scripts: Han without kana is Chinese (also among English
/// identifiers), Latin is English, anything else is other.
Language DetectLanguage(std::string_view utf8);

/// "zh", "en" or "und".
std::string_view LanguageCode(Language language);
/// Inverse of `LanguageCode`; unknown codes are `kOther`.
Language LanguageFromCode(std::string_view code);

}  // namespace sightline::text
