#include "text/chunker.h"

#include <algorithm>
#include <utility>

#include "text/code_points.h"
#include "text/word_break.h"

namespace sightline::text {
namespace {

/// Sentences are looked for in pieces of this size at most, so that one break costs O(1).
constexpr size_t kMaxSentenceBytes = size_t{8} << 10;

bool IsSpace(char c) { return c == ' ' || (c >= '\t' && c <= '\r'); }

/// Whether no code point is cut before byte `at`. Behind the longest possible one every byte is
/// such a place: a run of bytes that continue nothing is no single character.
bool IsBoundary(std::string_view text, size_t at) {
  constexpr size_t kMaxCodePointBytes = 4;
  if (StartsCodePoint(text[at])) return true;
  for (size_t back = 1; back < kMaxCodePointBytes && back <= at; ++back) {
    if (StartsCodePoint(text[at - back])) return false;
  }
  return true;
}

Chunk Trimmed(std::string_view text, Chunk chunk) {
  while (chunk.begin < chunk.end && IsSpace(text[chunk.begin])) ++chunk.begin;
  while (chunk.end > chunk.begin && IsSpace(text[chunk.end - 1])) --chunk.end;
  return chunk;
}

/// Where paragraphs end: behind each run of white space that holds two line feeds or a form feed.
std::vector<Chunk> Paragraphs(std::string_view text) {
  std::vector<Chunk> paragraphs;
  size_t begin = 0;
  for (size_t i = 0; i < text.size();) {
    if (!IsSpace(text[i])) {
      ++i;
      continue;
    }
    size_t end = i;
    int line_feeds = 0;
    for (; end < text.size() && IsSpace(text[end]); ++end) {
      line_feeds += text[end] == '\f' ? 2 : (text[end] == '\n' ? 1 : 0);
    }
    if (line_feeds >= 2) {
      const Chunk paragraph = Trimmed(text, {begin, i});
      if (paragraph.begin < paragraph.end) paragraphs.push_back(paragraph);
      begin = end;
    }
    i = end;
  }
  const Chunk last = Trimmed(text, {begin, text.size()});
  if (last.begin < last.end) paragraphs.push_back(last);
  return paragraphs;
}

/// A place to cut at, best last: inside a word, behind a word, behind a clause.
enum class CutKind { kNone, kCharacter, kWord, kClause };

CutKind CutBehind(std::string_view text, size_t end) {
  if (end >= text.size()) return CutKind::kClause;
  if (!IsBoundary(text, end)) return CutKind::kNone;
  const char last = text[end - 1];
  if (last == ',' || last == ';' || last == ':') {
    return IsSpace(text[end]) ? CutKind::kClause : CutKind::kCharacter;
  }
  if (end >= 3) {
    const std::string_view mark = text.substr(end - 3, 3);
    if (mark == "，" || mark == "；" || mark == "：" || mark == "、") return CutKind::kClause;
  }
  return IsSpace(text[end]) ? CutKind::kWord : CutKind::kCharacter;
}

/// Packs sentences into passages.
class Packer {
 public:
  Packer(std::string_view text, const TokenCounter& count, const ChunkOptions& options)
      : text_(text), count_(count), options_(options) {}

  std::vector<Chunk> Run() {
    for (const Chunk& paragraph : Paragraphs(text_)) TakeParagraph(paragraph);
    Flush();
    return std::move(chunks_);
  }

 private:
  std::string_view Text(Chunk chunk) const {
    return text_.substr(chunk.begin, chunk.end - chunk.begin);
  }
  size_t Tokens(Chunk chunk) const { return count_(Text(chunk)); }
  bool Fits(Chunk chunk) const { return Tokens(chunk) <= options_.max_tokens; }

  void Flush() {
    Chunk closed = std::exchange(open_, {});
    const bool exact = std::exchange(open_is_exact_, true);
    open_tokens_ = 0;
    if (closed.begin >= closed.end) return;
    if (!exact && !Fits(closed)) {
      SplitSentence(closed);
      closed = std::exchange(open_, {});
      open_tokens_ = 0;
    }
    if (closed.begin < closed.end) chunks_.push_back(closed);
  }

  void TakeParagraph(Chunk paragraph) {
    if (open_tokens_ >= options_.good_tokens) {
      const bool is_short = paragraph.end - open_.begin <= kMaxSentenceBytes;
      if (!is_short || !Fits({open_.begin, paragraph.end})) Flush();
    }
    while (paragraph.begin < paragraph.end) {
      size_t begin = paragraph.begin;
      for (const size_t end : NextSentenceEnds(paragraph)) {
        const Chunk sentence = Trimmed(text_, {begin, end});
        begin = end;
        if (sentence.begin < sentence.end) TakeSentence(sentence);
      }
      paragraph.begin = begin;
    }
  }

  /// Ends of the first sentences of a paragraph, at least one. Of a longer paragraph only a head is
  /// looked at, and the sentence that the head cuts is left for the next call.
  std::vector<size_t> NextSentenceEnds(Chunk paragraph) const {
    const bool whole = paragraph.end - paragraph.begin <= kMaxSentenceBytes;
    const size_t head =
        whole ? paragraph.end : CodePointEnd(paragraph.begin + kMaxSentenceBytes, paragraph.end);
    std::vector<size_t> ends = SentenceEnds(Text({paragraph.begin, head}));
    for (size_t& end : ends) end += paragraph.begin;
    if (!whole && ends.size() > 1) ends.pop_back();
    if (!whole && ends.back() == head) {
      const size_t space = Text({paragraph.begin, head}).find_last_of(" \n\t");
      if (space != std::string_view::npos && space > 0) ends.back() = paragraph.begin + space;
    }
    return ends;
  }

  void TakeSentence(Chunk sentence) {
    const size_t tokens = Tokens(sentence);
    if (open_.begin < open_.end) {
      // Counts do not add up exactly (start and end tokens, joins). Far below the limit the sum is
      // believed until the passage is closed; near the limit the whole is counted.
      const size_t sum = open_tokens_ + tokens;
      const Chunk joined{open_.begin, sentence.end};
      if (sum <= options_.max_tokens / 4 * 3) {
        open_ = joined;
        open_tokens_ = sum;
        open_is_exact_ = false;
        return;
      }
      if (sum <= options_.max_tokens + kSlackTokens + options_.max_tokens / 4) {
        const size_t joined_tokens = Tokens(joined);
        if (joined_tokens <= options_.max_tokens) {
          open_ = joined;
          open_tokens_ = joined_tokens;
          open_is_exact_ = true;
          return;
        }
      }
      Flush();
    }
    if (tokens <= options_.max_tokens) {
      open_ = sentence;
      open_tokens_ = tokens;
      return;
    }
    SplitSentence(sentence);
  }

  /// A sentence over the limit: its longest beginnings that fit, cut at the best place near their
  /// end.
  void SplitSentence(Chunk sentence) {
    while (sentence.begin < sentence.end) {
      if (Fits(sentence)) {
        open_ = sentence;
        open_tokens_ = Tokens(sentence);
        return;
      }
      const size_t end = BestCut(sentence, LongestFit(sentence));
      const Chunk piece = Trimmed(text_, {sentence.begin, end});
      if (piece.begin < piece.end) chunks_.push_back(piece);
      sentence = Trimmed(text_, {end, sentence.end});
    }
  }

  size_t CodePointEnd(size_t at, size_t limit) const {
    while (at < limit && !IsBoundary(text_, at)) ++at;
    return at;
  }

  /// End of the longest beginning of `sentence` that fits, by bisection; at least one code point.
  size_t LongestFit(Chunk sentence) const {
    size_t good = CodePointEnd(sentence.begin + 1, sentence.end);
    size_t bad = sentence.end;
    while (good < bad) {
      const size_t middle = CodePointEnd(good + (bad - good + 1) / 2, bad);
      if (middle >= bad) {
        // Nothing but the last code point is left between.
        size_t previous = bad - 1;
        while (previous > good && !IsBoundary(text_, previous)) --previous;
        if (previous <= good) break;
        if (Fits({sentence.begin, previous})) good = previous;
        break;
      }
      if (Fits({sentence.begin, middle})) {
        good = middle;
      } else {
        bad = middle;
      }
    }
    return good;
  }

  /// The best cut in the last half of `[begin, fit)`; a prefix of what fits is taken to fit, which
  /// is checked, since a counter may see it otherwise.
  size_t BestCut(Chunk sentence, size_t fit) const {
    size_t best = fit;
    CutKind best_kind = CutKind::kCharacter;
    const size_t half = sentence.begin + (fit - sentence.begin) / 2;
    for (size_t end = fit; end > half && best_kind != CutKind::kClause; --end) {
      const CutKind kind = CutBehind(text_.substr(0, sentence.end), end);
      if (kind > best_kind && Fits({sentence.begin, end})) {
        best = end;
        best_kind = kind;
      }
    }
    return best;
  }

  static constexpr size_t kSlackTokens = 8;

  const std::string_view text_;
  const TokenCounter& count_;
  const ChunkOptions options_;
  std::vector<Chunk> chunks_;
  Chunk open_;
  size_t open_tokens_ = 0;
  bool open_is_exact_ = true;  ///< whether `open_tokens_` was counted, not summed up
};

}  // namespace

std::vector<Chunk> ChunkText(std::string_view text, const TokenCounter& count,
                             const ChunkOptions& options) {
  return Packer(text, count, options).Run();
}

}  // namespace sightline::text
