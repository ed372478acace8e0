// Lexical analysis: text to the terms that BM25 counts, the same for Chinese and English.
//
// Latin and other spaced scripts: words, folded, English stems for ASCII words, accents of Latin
// letters dropped. An identifier ("foo_bar-1.2", "a/b.txt", "c++") is one term as it stands, at the
// place of its first part, and its parts are terms as well.
// Han: every bigram inside a run, dictionary words of three characters or more, and a lone
// character where it is a word by itself or ends a run. A two-character word is its bigram and is
// not counted twice, so one place of a text gives a term once, and the weight of a passage is that
// of its bigrams (measured on 638 questions, MRR@10: bigrams with words 59.3, every character as
// well 58.7, without bigrams across stop words 57.8). A question of one lone character is asked as
// a prefix: with the characters that end runs it then finds the character wherever it stands. Kana,
// Hangul, Thai and their like: dictionary words. Emoji and currency signs: a term each.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace sightline::text {

/// A term is cut after this many code points; a text and a question are cut alike.
inline constexpr size_t kMaxTermCodePoints = 64;

/// ASCII characters besides letters and digits that occur inside terms: the list that a term index
/// which splits at ASCII punctuation must treat as letters (FTS5 `ascii tokenchars`).
inline constexpr std::string_view kTermPunctuation = "_-./:@+#";

/// One term and the bytes of the original text that it came from.
struct Token {
  std::string term;
  int32_t position = 0;  ///< counts words; terms of one word or character share it
  size_t begin = 0;
  size_t end = 0;
  bool is_prefix = false;  ///< questions only: terms that start with `term` match as well
};

/// The terms of a text to be indexed, in order of position. Thread-safe; any bytes are allowed.
std::vector<Token> Analyze(std::string_view utf8);

/// The terms of a question: as `Analyze`, without stop words (unless nothing else is there),
/// without repetition, a lone Han character as a prefix.
std::vector<Token> AnalyzeQuery(std::string_view utf8);

/// The terms joined by single spaces: the column of a full-text table. No term holds a space.
std::string ToIndexText(const std::vector<Token>& tokens);

}  // namespace sightline::text
