#include "fuzz/tokenizer_bytes.h"

#include <boost/json.hpp>
#include <cstdint>
#include <cstring>
#include <vector>

#include "base/utf8.h"

namespace sightline::fuzz {
namespace {

struct Piece {
  std::string_view text;
  float score;
};

void Append(std::string& bytes, std::uint32_t word) {
  for (unsigned shift = 0; shift < 32; shift += 8) bytes += static_cast<char>(word >> shift);
}

void Append(std::string& bytes, float number) {
  std::uint32_t word = 0;
  static_assert(sizeof(word) == sizeof(number));
  std::memcpy(&word, &number, sizeof(word));
  Append(bytes, word);
}

}  // namespace

std::string WordPieceJson() {
  return R"({"version": "1.0",
    "normalizer": {"type": "BertNormalizer", "clean_text": true, "handle_chinese_chars": true,
                   "strip_accents": null, "lowercase": true},
    "model": {"type": "WordPiece", "unk_token": "[UNK]", "continuing_subword_prefix": "##",
              "max_input_chars_per_word": 10,
              "vocab": {"[PAD]": 0, "[UNK]": 1, "[CLS]": 2, "[SEP]": 3, "play": 4, "##ing": 5,
                        "##ed": 6, "数": 7, "据": 8, ",": 9, "cafe": 10, "a": 11, "##a": 12}}})";
}

std::string BpeVocabularyJson() {
  boost::json::object vocabulary;
  std::int64_t id = 0;
  char32_t next = 0x100;
  std::vector<std::string> names;
  for (char32_t byte = 0; byte < 256; ++byte) {
    const bool printable =
        (byte >= 33 && byte <= 126) || (byte >= 161 && byte <= 172) || (byte >= 174 && byte <= 255);
    base::AppendUtf8(printable ? byte : next++, names.emplace_back());
  }
  for (const std::string& name : names) vocabulary[name] = id++;
  for (const std::string& name : names) vocabulary[name + "</w>"] = id++;
  for (const char* merged : {"ca", "cat</w>", "<|startoftext|>", "<|endoftext|>"}) {
    vocabulary[merged] = id++;
  }
  return boost::json::serialize(vocabulary);
}

std::string UnigramBytes() {
  const std::vector<Piece> pieces = {
      {"<s>", 0}, {"<pad>", 0},  {"</s>", 0}, {"<unk>", 0}, {"▁", -3},    {"▁a", -2},   {"b", -2},
      {"ab", -1}, {"▁数据", -2}, {"库", -2},  {"▁数", -3},  {"a", -2.5F}, {"<mask>", 0}};
  // One code point becomes a space, one nothing, one another letter.
  const std::vector<std::uint32_t> rules = {0x9, 0x200B, 0xFF41};
  const std::vector<std::uint32_t> rule_starts = {0, 1, 1, 2};
  const std::vector<std::uint32_t> replacements = {0x20, 0x61};
  std::string blob;
  std::vector<std::uint32_t> offsets = {0};
  for (const Piece& piece : pieces) {
    blob += piece.text;
    offsets.push_back(static_cast<std::uint32_t>(blob.size()));
  }
  std::string bytes = "SLTK";
  Append(bytes, std::uint32_t{1});
  for (const std::size_t count : {pieces.size(), blob.size(), rules.size(), replacements.size()}) {
    Append(bytes, static_cast<std::uint32_t>(count));
  }
  for (std::uint32_t special = 0; special < 4; ++special) Append(bytes, special);
  for (const std::uint32_t offset : offsets) Append(bytes, offset);
  for (const Piece& piece : pieces) Append(bytes, piece.score);
  for (const auto* list : {&rules, &rule_starts, &replacements}) {
    for (const std::uint32_t word : *list) Append(bytes, word);
  }
  return bytes + blob;
}

}  // namespace sightline::fuzz
