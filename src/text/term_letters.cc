#include "text/term_letters.h"

#include <unicode/normalizer2.h>
#include <unicode/unistr.h>
#include <unicode/uscript.h>
#include <unicode/utf16.h>
#include <unicode/utf8.h>

#include <algorithm>
#include <array>

namespace sightline::text {
namespace {

bool IsLatin(UChar32 c) {
  UErrorCode error = U_ZERO_ERROR;
  return uscript_getScript(c, &error) == USCRIPT_LATIN;
}

/// The base letter of an accented Latin letter, or `c`.
char32_t BaseLetter(char32_t c) {
  UErrorCode error = U_ZERO_ERROR;
  const icu::Normalizer2* nfd = icu::Normalizer2::getNFDInstance(error);
  icu::UnicodeString decomposed;
  const auto code_point = static_cast<UChar32>(c);
  if (U_FAILURE(error) || nfd->getDecomposition(code_point, decomposed) == 0) return c;
  const UChar32 base = decomposed.char32At(0);
  return IsLatin(base) ? static_cast<char32_t>(base) : c;
}

constexpr char32_t kFirstAccented = 0xC0;
constexpr char32_t kEndAccented = 0x250;

}  // namespace

char32_t PlainLetter(char32_t c) {
  static const std::array<char32_t, kEndAccented - kFirstAccented> kBases = [] {
    std::array<char32_t, kEndAccented - kFirstAccented> bases{};
    for (char32_t i = 0; i < bases.size(); ++i) bases[i] = BaseLetter(i + kFirstAccented);
    return bases;
  }();
  if (c < kFirstAccented) return c;
  if (c < kEndAccented) return kBases[c - kFirstAccented];
  if (c >= 0x1E00 && c < 0x1F00) return BaseLetter(c);
  return c == 0x2019 || c == 0x02BC ? U'\'' : c;
}

bool IsAsciiWord(std::string_view word) {
  return std::all_of(word.begin(), word.end(),
                     [](char c) { return (c >= 'a' && c <= 'z') || c == '\''; });
}

std::string WithoutApostrophes(std::string word) {
  std::erase(word, '\'');
  return word;
}

void AppendUtf8(std::u32string_view code_points, std::string* out) {
  for (const char32_t c : code_points) {
    std::array<uint8_t, U8_MAX_LENGTH> bytes{};
    int32_t size = 0;
    U8_APPEND_UNSAFE(bytes.data(), size, static_cast<UChar32>(c));
    out->append(bytes.begin(), bytes.begin() + size);
  }
}

void AppendUtf16(char32_t c, std::u16string* out) {
  if (c < 0x10000) {
    out->push_back(static_cast<char16_t>(c));
    return;
  }
  out->push_back(U16_LEAD(static_cast<UChar32>(c)));
  out->push_back(U16_TRAIL(static_cast<UChar32>(c)));
}

}  // namespace sightline::text
