// The line of a text that answers a question best, with the matched words marked.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "text/analyzer.h"

namespace sightline::text {

/// Code points `[begin, end)` of a snippet.
struct HighlightRange {
  uint32_t begin = 0;
  uint32_t end = 0;
};

/// A piece of a text, shown as it stands but for white space (each run is one space) and "…" where
/// the text goes on. Always valid UTF-8 without NUL.
struct Snippet {
  std::string text;
  std::vector<HighlightRange> highlights;  ///< ascending, apart from each other
};

/// Width of a snippet in columns: 160 Latin or 80 Chinese characters.
inline constexpr size_t kSnippetColumns = 160;
/// Only so much of a text is looked at.
inline constexpr size_t kMaxSnippetSourceBytes = size_t{256} << 10;

/// The window of `utf8` with the most of the question: different terms count most (rarer ones in
/// this text more), then repetitions; the first of equal windows. Starts at a word, a little before
/// the first match. Without a match, the beginning of the text. `query` comes from `AnalyzeQuery`.
/// Thread-safe.
Snippet BestSnippet(std::string_view utf8, const std::vector<Token>& query,
                    size_t columns = kSnippetColumns);

}  // namespace sightline::text
