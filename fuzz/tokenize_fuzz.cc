// Text of any kind through the three tokenizers, each with a small vocabulary of its own.
#include <boost/json.hpp>
#include <memory>
#include <string>

#include "base/check.h"
#include "fuzz/target.h"
#include "fuzz/tokenizer_bytes.h"
#include "text/bpe_tokenizer.h"
#include "text/unigram_tokenizer.h"
#include "text/wordpiece_tokenizer.h"

namespace sightline::fuzz {
namespace {

void CheckEncoding(const text::Tokenizer& tokenizer, std::string_view text) {
  constexpr std::size_t kMaxTokens = 64;
  const auto cut = tokenizer.Encode(text, kMaxTokens);
  CHECK(cut.ok(), cut.status().ToString());
  CHECK(cut->size() >= 2 && cut->size() <= kMaxTokens);
  const auto whole = tokenizer.Encode(text, std::size_t{1} << 20);
  CHECK(whole.ok(), whole.status().ToString());
  CHECK(tokenizer.CountTokens(text) == whole->size(), "counted as encoded");
  for (const std::int32_t id : *whole) CHECK(id >= 0);
}

template <typename Made>
const text::Tokenizer& Kept(Made made) {
  CHECK(made.ok(), made.status().ToString());
  // Immutable, so that it may stay from one run to the next.
  static const auto tokenizer = *std::move(made);
  return *tokenizer;
}

void Run(std::string_view input) {
  static const text::Tokenizer& word_piece =
      Kept(text::WordPieceTokenizer::FromJson(WordPieceJson()));
  static const text::Tokenizer& bpe =
      Kept(text::BpeTokenizer::FromText(BpeVocabularyJson(), kBpeMerges));
  static const text::Tokenizer& unigram = Kept(text::UnigramTokenizer::FromBytes(UnigramBytes()));
  CheckEncoding(word_piece, input);
  CheckEncoding(bpe, input);
  CheckEncoding(unigram, input);
}

const Registration kTarget({.name = "tokenize", .max_bytes = 2048, .run = &Run});

}  // namespace
}  // namespace sightline::fuzz
