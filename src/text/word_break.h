// ICU's word and sentence boundaries, with one iterator a thread (making one costs a millisecond).
#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

namespace sightline::text {

/// Ends of the words of `text` (UTF-16 code unit offsets, ascending, the last is its size): words
/// of ICU's dictionaries for Chinese, Japanese, Thai, Lao, Khmer and Burmese, by UAX 29 otherwise.
/// Empty for empty text. Thread-safe.
std::vector<int32_t> WordEnds(std::u16string_view text);

/// Ends of the sentences of `text` as byte offsets of valid or invalid UTF-8, ascending, the last
/// is its size: UAX 29, and after 。！？ and their kin. Thread-safe.
std::vector<size_t> SentenceEnds(std::string_view utf8);

}  // namespace sightline::text
