// The files of tokenizers: tokenizer.bin, tokenizer.json, vocab.json with merges.txt.
#include <memory>
#include <string>

#include "base/check.h"
#include "fuzz/byte_source.h"
#include "fuzz/target.h"
#include "fuzz/tokenizer_bytes.h"
#include "text/bpe_tokenizer.h"
#include "text/unigram_tokenizer.h"
#include "text/wordpiece_tokenizer.h"

namespace sightline::fuzz {
namespace {

constexpr std::string_view kText = "Playing Cat's café 数据库 \u200b\xFF 12 ab";

void Use(const text::Tokenizer& tokenizer) {
  const auto ids = tokenizer.Encode(kText, 32);
  CHECK(!ids.ok() || ids->size() <= 32);
  [[maybe_unused]] const std::size_t count = tokenizer.CountTokens(kText);
}

// `whole` with bytes replaced where the input says.
std::string Changed(std::string whole, ByteSource& source) {
  while (!source.IsEmpty() && !whole.empty()) {
    const std::size_t at = source.Word() % whole.size();
    const std::string_view bytes = source.Take(static_cast<std::size_t>(source.Between(1, 8)));
    for (std::size_t i = 0; i < bytes.size() && at + i < whole.size(); ++i)
      whole[at + i] = bytes[i];
  }
  return whole;
}

// The first byte says which form, and whether the rest is the file or changes to a small one.
void Run(std::string_view input) {
  ByteSource source(input);
  switch (source.Byte() % 5) {
    case 0: {
      const auto made = text::UnigramTokenizer::FromBytes(std::string(source.Rest()));
      if (made.ok()) Use(**made);
      break;
    }
    case 1: {
      const auto made = text::UnigramTokenizer::FromBytes(Changed(UnigramBytes(), source));
      if (made.ok()) Use(**made);
      break;
    }
    case 2: {
      const auto made = text::WordPieceTokenizer::FromJson(source.Rest());
      if (made.ok()) Use(**made);
      break;
    }
    case 3: {
      const auto made = text::WordPieceTokenizer::FromJson(Changed(WordPieceJson(), source));
      if (made.ok()) Use(**made);
      break;
    }
    default: {
      const std::string merges(source.TakeUntil('\0'));
      const auto made = text::BpeTokenizer::FromText(Changed(BpeVocabularyJson(), source), merges);
      if (made.ok()) Use(**made);
    }
  }
}

const Registration kTarget({.name = "tokenizer_files", .max_bytes = 2048, .run = &Run});

}  // namespace
}  // namespace sightline::fuzz
