#include "text/analyzer.h"

#include <algorithm>
#include <unordered_set>

#include "text/character_class.h"
#include "text/code_points.h"
#include "text/normalize.h"
#include "text/stemmer.h"
#include "text/stop_words.h"
#include "text/term_letters.h"
#include "text/word_break.h"

namespace sightline::text {
namespace {

enum class Purpose { kIndex, kQuery, kQueryWithStopWords };

/// Dictionaries are asked about so many code points at a time: their cost in memory is bounded.
constexpr size_t kMaxRunCodePoints = 2048;
/// An identifier of more parts than this is indexed by its parts alone.
constexpr size_t kMaxParts = 16;

/// Walks the folded code points of one text and appends its tokens.
class Analysis {
 public:
  Analysis(const FoldedText& folded, Purpose purpose) : folded_(folded), purpose_(purpose) {
    code_points_.reserve(folded.spans.size());
    for (size_t at = 0; at < folded.text.size();) {
      code_points_.push_back(PlainLetter(NextCodePoint(folded.text, &at)));
    }
  }

  std::vector<Token> Run() {
    tokens_.reserve(code_points_.size() / 4);
    size_t i = 0;
    while (i < code_points_.size()) {
      switch (ClassOf(code_points_[i])) {
        case CharacterClass::kSeparator:
          ++i;
          break;
        case CharacterClass::kWord:
          i = TakeWord(i);
          break;
        case CharacterClass::kHan:
        case CharacterClass::kDictionary:
          i = TakeDictionaryRun(i);
          break;
        case CharacterClass::kPictograph:
          Emit(i, i + 1, position_++);
          ++i;
          break;
        case CharacterClass::kRegional:
          i = TakeFlag(i);
          break;
      }
    }
    return std::move(tokens_);
  }

 private:
  struct Range {
    size_t begin;
    size_t end;
  };

  CharacterClass ClassAt(size_t i) const {
    return i < code_points_.size() ? ClassOf(code_points_[i]) : CharacterClass::kSeparator;
  }
  char32_t At(size_t i) const { return i < code_points_.size() ? code_points_[i] : U' '; }

  std::string Text(size_t begin, size_t end) const {
    std::string term;
    AppendUtf8(std::u32string_view(code_points_).substr(begin, end - begin), &term);
    return term;
  }

  void EmitTerm(std::string term, size_t begin, size_t end, int32_t position) {
    tokens_.push_back(
        {std::move(term), position, folded_.spans[begin].begin, folded_.spans[end - 1].end, false});
  }

  void Emit(size_t begin, size_t end, int32_t position) {
    EmitTerm(Text(begin, std::min(end, begin + kMaxTermCodePoints)), begin, end, position);
  }

  bool IsStop(std::string_view word) const {
    return purpose_ == Purpose::kQuery && IsStopWord(word);
  }

  /// A comma that groups digits: "1,000".
  bool IsDigitComma(size_t i) const {
    if (At(i) != U',' || i == 0 || !IsAsciiDigit(code_points_[i - 1])) return false;
    return IsAsciiDigit(At(i + 1)) && IsAsciiDigit(At(i + 2)) && IsAsciiDigit(At(i + 3)) &&
           !IsAsciiDigit(At(i + 4));
  }

  /// End of the letters and digits from `i`; apostrophes and digit commas inside belong to them.
  size_t PartEnd(size_t i) const {
    while (i < code_points_.size()) {
      const bool inside = code_points_[i] == U'\'' && ClassAt(i + 1) == CharacterClass::kWord;
      if (ClassAt(i) != CharacterClass::kWord && !inside && !IsDigitComma(i)) break;
      ++i;
    }
    return i;
  }

  /// "c++", "c#": signs that belong to a name although no letter follows.
  size_t SuffixEnd(size_t end) const {
    const bool plus_plus = At(end) == U'+' && At(end + 1) == U'+';
    const size_t after = plus_plus ? end + 2 : (At(end) == U'#' ? end + 1 : end);
    return ClassAt(after) == CharacterClass::kWord ? end : after;
  }

  size_t TakeWord(size_t begin) {
    std::vector<Range> parts;
    size_t end = begin;
    while (true) {
      const size_t part_end = PartEnd(end);
      parts.push_back({end, part_end});
      end = part_end;
      const char32_t connector = At(end);
      const bool connects =
          connector < 0x80 && connector != U'#' &&
          kTermPunctuation.find(static_cast<char>(connector)) != std::string_view::npos;
      if (!connects || ClassAt(end + 1) != CharacterClass::kWord) break;
      ++end;
    }
    const size_t whole_end = SuffixEnd(end);
    const bool is_compound = parts.size() > 1 || whole_end != end;
    if (is_compound && parts.size() <= kMaxParts && whole_end - begin <= kMaxTermCodePoints) {
      EmitTerm(WithoutApostrophes(Text(begin, whole_end)), begin, whole_end, position_);
    }
    for (const Range& part : parts) EmitPart(part);
    return whole_end;
  }

  void EmitPart(Range part) {
    std::string word = Text(part.begin, std::min(part.end, part.begin + kMaxTermCodePoints));
    std::erase(word, ',');
    const int32_t position = position_++;
    if (IsStop(word)) return;
    if (IsAsciiWord(word)) word = std::string(EnglishStemmer::OfThisThread().Stem(word));
    word = WithoutApostrophes(std::move(word));
    if (!word.empty()) EmitTerm(std::move(word), part.begin, part.end, position);
  }

  size_t TakeFlag(size_t i) {
    const size_t end = ClassAt(i + 1) == CharacterClass::kRegional ? i + 2 : i + 1;
    Emit(i, end, position_++);
    return end;
  }

  size_t TakeDictionaryRun(size_t begin) {
    size_t end = begin;
    while (end < code_points_.size() && end - begin < kMaxRunCodePoints) {
      const CharacterClass next = ClassAt(end);
      if (next != CharacterClass::kHan && next != CharacterClass::kDictionary) break;
      ++end;
    }
    const std::vector<Range> words = DictionaryWords(begin, end);
    const std::vector<bool> stopped = Stopped(words, begin, end);
    for (const Range& word : words) {
      if (ClassAt(word.begin) == CharacterClass::kDictionary) {
        if (!stopped[word.begin - begin]) Emit(word.begin, word.end, position_);
        ++position_;
      } else {
        EmitHanWord(word, begin, end, stopped);
      }
    }
    return end;
  }

  /// Words inside `[begin, end)`; a change between Han and other characters always ends one.
  std::vector<Range> DictionaryWords(size_t begin, size_t end) const {
    std::u16string utf16;
    utf16.reserve(end - begin);
    for (size_t i = begin; i < end; ++i) AppendUtf16(code_points_[i], &utf16);
    std::vector<Range> words;
    size_t at = begin;
    int32_t unit = 0;
    for (const int32_t word_end : WordEnds(utf16)) {
      size_t word_begin = at;
      while (at < end && unit < word_end) {
        if (at > word_begin && ClassAt(at) != ClassAt(word_begin)) {
          words.push_back({word_begin, at});
          word_begin = at;
        }
        unit += code_points_[at] < 0x10000 ? 1 : 2;
        ++at;
      }
      if (at > word_begin) words.push_back({word_begin, at});
    }
    return words;
  }

  /// For each code point of the run, whether it lies in a stop word (of questions only).
  std::vector<bool> Stopped(const std::vector<Range>& words, size_t begin, size_t end) const {
    std::vector<bool> stopped(end - begin, false);
    if (purpose_ != Purpose::kQuery) return stopped;
    for (const Range& word : words) {
      if (!IsStopWord(Text(word.begin, word.end))) continue;
      for (size_t i = word.begin; i < word.end; ++i) stopped[i - begin] = true;
    }
    return stopped;
  }

  void EmitHanWord(Range word, size_t run_begin, size_t run_end, const std::vector<bool>& stopped) {
    for (size_t i = word.begin; i < word.end; ++i, ++position_) {
      if (i == word.begin && word.end - word.begin > 2) Emit(word.begin, word.end, position_);
      const bool ends_han = i + 1 >= run_end || ClassAt(i + 1) != CharacterClass::kHan;
      if (!ends_han) Emit(i, i + 2, position_);
      const bool is_word = word.end - word.begin == 1 && !stopped[i - run_begin];
      const bool begins_han = i == run_begin || ClassAt(i - 1) != CharacterClass::kHan;
      if (!is_word && !(ends_han && purpose_ == Purpose::kIndex)) continue;
      Emit(i, i + 1, position_);
      tokens_.back().is_prefix = purpose_ != Purpose::kIndex && begins_han && ends_han;
    }
  }

  const FoldedText& folded_;
  const Purpose purpose_;
  std::u32string code_points_;
  std::vector<Token> tokens_;
  int32_t position_ = 0;
};

}  // namespace

std::vector<Token> Analyze(std::string_view utf8) {
  const FoldedText folded = FoldWithOffsets(utf8);
  return Analysis(folded, Purpose::kIndex).Run();
}

std::vector<Token> AnalyzeQuery(std::string_view utf8) {
  const FoldedText folded = FoldWithOffsets(utf8);
  std::vector<Token> tokens = Analysis(folded, Purpose::kQuery).Run();
  if (tokens.empty()) tokens = Analysis(folded, Purpose::kQueryWithStopWords).Run();
  std::unordered_set<std::string> seen;
  std::erase_if(tokens, [&seen](const Token& token) { return !seen.insert(token.term).second; });
  if (tokens.size() > 1) {
    for (Token& token : tokens) token.is_prefix = false;
  }
  return tokens;
}

std::string ToIndexText(const std::vector<Token>& tokens) {
  size_t size = 0;
  for (const Token& token : tokens) size += token.term.size() + 1;
  std::string joined;
  joined.reserve(size);
  for (const Token& token : tokens) {
    if (!joined.empty()) joined += ' ';
    joined += token.term;
  }
  return joined;
}

}  // namespace sightline::text
