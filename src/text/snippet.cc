#include "text/snippet.h"

#include <algorithm>
#include <cmath>
#include <unordered_map>

#include "text/character_class.h"
#include "text/code_points.h"
#include "text/term_letters.h"

namespace sightline::text {
namespace {

constexpr char32_t kReplacement = 0xFFFD;
constexpr std::string_view kEllipsis = "…";
/// How much of the width stands in front of the first match.
constexpr size_t kLeadDivisor = 5;
constexpr double kRepetitionWeight = 0.05;

/// A code point of the source with what a snippet needs to know about it.
struct Glyph {
  char32_t c;
  uint32_t begin;  ///< byte of the source
  uint8_t columns;
  bool marked;
};

bool IsBlank(char32_t c) { return c <= U' ' || c == 0xA0 || c == 0x3000 || c == 0x2028; }

uint8_t ColumnsOf(char32_t c) {
  const bool wide = (c >= 0x1100 && c <= 0x115F) || (c >= 0x2E80 && c <= 0xA4CF) ||
                    (c >= 0xAC00 && c <= 0xD7A3) || (c >= 0xF900 && c <= 0xFAFF) ||
                    (c >= 0xFE30 && c <= 0xFE6F) || (c >= 0xFF00 && c <= 0xFF60) ||
                    (c >= 0x1F300 && c <= 0x1FAFF) || (c >= 0x20000 && c <= 0x3FFFD);
  return wide ? 2 : 1;
}

/// Runs of white space as one space, without any at the ends.
std::vector<Glyph> Glyphs(std::string_view utf8) {
  std::vector<Glyph> glyphs;
  glyphs.reserve(utf8.size());
  bool pending_space = false;
  for (size_t at = 0; at < utf8.size();) {
    const auto begin = static_cast<uint32_t>(at);
    char32_t c = NextCodePoint(utf8, &at);
    if (c == kInvalidCodePoint) c = kReplacement;
    if (IsBlank(c)) {
      pending_space = !glyphs.empty();
      continue;
    }
    if (pending_space) glyphs.push_back({U' ', begin, 1, false});
    pending_space = false;
    glyphs.push_back({c, begin, ColumnsOf(c), false});
  }
  return glyphs;
}

/// A term of the question found in the text, in glyph indices.
struct Match {
  size_t begin;
  size_t end;
  size_t term;
};

class Matcher {
 public:
  explicit Matcher(const std::vector<Token>& query) : query_(query) {
    for (size_t i = 0; i < query.size(); ++i) by_term_.emplace(query[i].term, i);
  }

  /// The matched term, or the number of terms.
  size_t Find(const Token& token) const {
    const auto found = by_term_.find(token.term);
    if (found != by_term_.end()) return found->second;
    for (size_t i = 0; i < query_.size(); ++i) {
      if (query_[i].is_prefix && token.term.starts_with(query_[i].term)) return i;
    }
    return query_.size();
  }

 private:
  const std::vector<Token>& query_;
  std::unordered_map<std::string_view, size_t> by_term_;
};

std::vector<Match> FindMatches(std::string_view utf8, const std::vector<Token>& query,
                               const std::vector<Glyph>& glyphs) {
  const Matcher matcher(query);
  const auto glyph_at = [&glyphs](size_t byte) {
    const auto found = std::lower_bound(glyphs.begin(), glyphs.end(), byte,
                                        [](const Glyph& g, size_t at) { return g.begin < at; });
    return static_cast<size_t>(found - glyphs.begin());
  };
  std::vector<Match> matches;
  for (const Token& token : Analyze(utf8)) {
    const size_t term = matcher.Find(token);
    if (term == query.size()) continue;
    size_t begin = glyph_at(token.begin);
    // The space in front of a word shares the byte of its first letter.
    if (begin < glyphs.size() && glyphs[begin].c == U' ') ++begin;
    const size_t end = query[term].is_prefix ? begin + 1 : glyph_at(token.end);
    if (begin < end) matches.push_back({begin, std::min(end, glyphs.size()), term});
  }
  std::stable_sort(matches.begin(), matches.end(),
                   [](const Match& a, const Match& b) { return a.begin < b.begin; });
  return matches;
}

struct Window {
  size_t begin = 0;
  size_t end = 0;
};

/// Columns in front of each glyph.
std::vector<size_t> ColumnSums(const std::vector<Glyph>& glyphs) {
  std::vector<size_t> sums{0};
  sums.reserve(glyphs.size() + 1);
  for (const Glyph& glyph : glyphs) sums.push_back(sums.back() + glyph.columns);
  return sums;
}

/// Index of the first match of the best window of `columns`, by two pointers over the matches.
size_t BestFirstMatch(const std::vector<Match>& matches, const std::vector<size_t>& sums,
                      size_t term_count, size_t columns) {
  std::vector<double> weights(term_count, 0);
  for (const Match& match : matches) weights[match.term] += 1;
  for (double& weight : weights) weight = weight > 0 ? 1.0 / (1.0 + std::log(weight)) : 0;
  std::vector<size_t> inside(term_count, 0);
  double score = 0;
  double best_score = -1;
  size_t best = 0;
  size_t last = 0;
  for (size_t first = 0; first < matches.size(); ++first) {
    while (last < matches.size() &&
           sums[matches[last].end] - sums[matches[first].begin] <= columns) {
      const size_t term = matches[last++].term;
      score += weights[term] * (inside[term]++ == 0 ? 1 : kRepetitionWeight);
    }
    if (score > best_score + 1e-9) {
      best_score = score;
      best = first;
    }
    if (last == first) {
      ++last;  // a match wider than the window
      continue;
    }
    const size_t term = matches[first].term;
    score -= weights[term] * (--inside[term] == 0 ? 1 : kRepetitionWeight);
  }
  return best;
}

bool BreaksBefore(const std::vector<Glyph>& glyphs, size_t i) {
  if (i == 0 || i >= glyphs.size()) return true;
  if (glyphs[i - 1].c == U' ' || glyphs[i].c == U' ') return true;
  return ClassOf(glyphs[i - 1].c) != CharacterClass::kWord ||
         ClassOf(glyphs[i].c) != CharacterClass::kWord;
}

bool EndsSentence(char32_t c) {
  return c == U'。' || c == U'！' || c == U'？' || c == U'；' || c == U'.' || c == U'!' ||
         c == U'?';
}

/// Moves the start of a window back from a match to a good place: a sentence, else a word.
size_t GoodStart(const std::vector<Glyph>& glyphs, const std::vector<size_t>& sums, size_t match,
                 size_t lead_columns) {
  size_t start = match;
  while (start > 0 && sums[match] - sums[start - 1] <= lead_columns) --start;
  if (start == 0) return 0;
  for (size_t i = match; i > start; --i) {
    const bool sentence =
        EndsSentence(glyphs[i - 1].c) && (glyphs[i].c == U' ' || glyphs[i - 1].c > 0x7F);
    if (sentence) return glyphs[i].c == U' ' ? i + 1 : i;
  }
  while (start < match && !BreaksBefore(glyphs, start)) ++start;
  return glyphs[start].c == U' ' && start < match ? start + 1 : start;
}

size_t GoodEnd(const std::vector<Glyph>& glyphs, const std::vector<size_t>& sums, size_t start,
               size_t columns) {
  size_t end = start;
  while (end < glyphs.size() && sums[end + 1] - sums[start] <= columns) ++end;
  if (end == glyphs.size()) return end;
  size_t back = end;
  while (back > start && !BreaksBefore(glyphs, back)) --back;
  // A word longer than half of the window is cut inside.
  end = sums[back] - sums[start] > columns / 2 ? back : end;
  while (end > start && glyphs[end - 1].c == U' ') --end;
  return end;
}

Snippet Render(const std::vector<Glyph>& glyphs, Window window) {
  Snippet snippet;
  uint32_t code_points = 0;
  if (window.begin > 0) {
    snippet.text += kEllipsis;
    ++code_points;
  }
  for (size_t i = window.begin; i < window.end; ++i, ++code_points) {
    AppendUtf8({&glyphs[i].c, 1}, &snippet.text);
    if (!glyphs[i].marked) continue;
    if (!snippet.highlights.empty() && snippet.highlights.back().end == code_points) {
      ++snippet.highlights.back().end;
    } else {
      snippet.highlights.push_back({code_points, code_points + 1});
    }
  }
  if (window.end < glyphs.size()) snippet.text += kEllipsis;
  return snippet;
}

}  // namespace

Snippet BestSnippet(std::string_view utf8, const std::vector<Token>& query, size_t columns) {
  if (utf8.size() > kMaxSnippetSourceBytes) {
    size_t end = kMaxSnippetSourceBytes;
    while (end > 0 && !StartsCodePoint(utf8[end])) --end;
    utf8 = utf8.substr(0, end);
  }
  std::vector<Glyph> glyphs = Glyphs(utf8);
  const std::vector<size_t> sums = ColumnSums(glyphs);
  const std::vector<Match> matches = FindMatches(utf8, query, glyphs);
  size_t start = 0;
  if (!matches.empty() && sums.back() > columns) {
    const size_t lead = columns / kLeadDivisor;
    const size_t first = BestFirstMatch(matches, sums, query.size(), columns - lead);
    start = GoodStart(glyphs, sums, matches[first].begin, lead);
    // A match near the end of the text: the window reaches back instead of staying half empty.
    while (start > 0 && sums.back() - sums[start - 1] <= columns) --start;
    while (start > 0 && start < matches[first].begin && !BreaksBefore(glyphs, start)) ++start;
    if (start < glyphs.size() && glyphs[start].c == U' ') ++start;
  }
  for (const Match& match : matches) {
    for (size_t i = match.begin; i < match.end; ++i) glyphs[i].marked = true;
  }
  return Render(glyphs, {start, GoodEnd(glyphs, sums, start, columns)});
}

}  // namespace sightline::text
