// Small facts about the letters of terms, and their way back to UTF-8 and UTF-16.
#pragma once

#include <string>
#include <string_view>

namespace sightline::text {

/// The letter as terms spell it: Latin letters lose their accents, typographic apostrophes become
/// "'"; everything else is itself.
char32_t PlainLetter(char32_t c);

/// '0' to '9'.
constexpr bool IsAsciiDigit(char32_t c) { return c >= U'0' && c <= U'9'; }

/// Only a-z and apostrophes.
bool IsAsciiWord(std::string_view word);

/// `word` without its apostrophes.
std::string WithoutApostrophes(std::string word);

/// Appends valid code points as UTF-8.
void AppendUtf8(std::u32string_view code_points, std::string* out);

/// Appends a valid code point as UTF-16.
void AppendUtf16(char32_t c, std::u16string* out);

}  // namespace sightline::text
