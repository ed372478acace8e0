// Chunking: long text to passages that an encoder can read whole.
#pragma once

#include <cstddef>
#include <functional>
#include <string_view>
#include <vector>

namespace sightline::text {

/// Bytes `[begin, end)` of a text.
struct Chunk {
  size_t begin = 0;
  size_t end = 0;
};

/// How many tokens an encoder makes of a text.
using TokenCounter = std::function<size_t(std::string_view)>;

/// What a passage may hold.
struct ChunkOptions {
  size_t max_tokens = 256;  ///< no passage has more, by `TokenCounter`
  /// A passage that holds this many tokens ends at the next paragraph whose whole would not fit.
  size_t good_tokens = 128;
};

/// Splits `text` (any bytes) into passages, in order and without overlap. Every byte that is not
/// ASCII white space is in exactly one passage; passages do not begin or end with white space.
/// Breaks between paragraphs (an empty line) before sentences before clauses before words before
/// characters, never inside a code point. A single code point that alone exceeds the limit is a
/// passage by itself; nothing else exceeds it. Calls `count` on O(size) bytes in all.
std::vector<Chunk> ChunkText(std::string_view text, const TokenCounter& count,
                             const ChunkOptions& options);

}  // namespace sightline::text
