// What lexical analysis wants to know about a folded code point.
#pragma once

#include <cstdint>

namespace sightline::text {

/// How a code point takes part in terms.
enum class CharacterClass : uint8_t {
  kSeparator,   ///< space, punctuation, symbols: no term
  kWord,        ///< letters, digits and marks of scripts that put spaces between words
  kHan,         ///< Chinese characters
  kDictionary,  ///< kana, Hangul, Thai and others whose words a dictionary finds
  kPictograph,  ///< emoji and currency signs: a term each
  kRegional,    ///< regional indicators: a pair is a flag
};

/// Class of a code point. Thread-safe, O(1).
CharacterClass ClassOf(char32_t c);

}  // namespace sightline::text
