// Small vocabularies in the forms that the three tokenizers read.
#pragma once

#include <string>
#include <string_view>

namespace sightline::fuzz {

/// A `tokenizer.json` of the WordPiece kind.
std::string WordPieceJson();
/// A `vocab.json` of CLIP's layout: the byte symbols, two merges, the special tokens.
std::string BpeVocabularyJson();
/// The `merges.txt` that goes with it.
inline constexpr std::string_view kBpeMerges = "#version: 0.2\nc a\nca t</w>\n";
/// A `tokenizer.bin` (docs/format/e5-tokenizer.md).
std::string UnigramBytes();

}  // namespace sightline::fuzz
