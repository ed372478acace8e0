// The tokenizer of BERT models (bge, MiniLM …), from a Hugging Face `tokenizer.json`.
#pragma once

#include <memory>
#include <string>
#include <unordered_map>

#include "base/result.h"
#include "text/tokenizer.h"

namespace sightline::text {

/// See `Tokenizer`. Does what BertNormalizer, BertPreTokenizer and WordPiece do in the `tokenizers`
/// package, except that special tokens written in a text are text.
class WordPieceTokenizer : public Tokenizer {
 public:
  /// Reads `tokenizer.json`. `kDataLoss` when it is no WordPiece tokenizer or damaged.
  static base::Result<std::unique_ptr<WordPieceTokenizer>> Load(const std::string& path);
  /// The same from its bytes.
  static base::Result<std::unique_ptr<WordPieceTokenizer>> FromJson(std::string_view json);

  base::Result<std::vector<int32_t>> Encode(std::string_view text,
                                            size_t max_tokens) const override;
  size_t CountTokens(std::string_view text) const override;
  int32_t PadId() const override { return pad_; }

 private:
  friend class WordPieceReader;
  struct Hash {
    using is_transparent = void;
    size_t operator()(std::string_view piece) const { return std::hash<std::string_view>{}(piece); }
  };

  WordPieceTokenizer() = default;
  void Content(std::string_view text, size_t limit, std::vector<int32_t>* ids) const;
  void AppendWord(std::string_view word, std::vector<int32_t>* ids) const;

  std::unordered_map<std::string, int32_t, Hash, std::equal_to<>> vocabulary_;
  std::string continuation_ = "##";
  size_t longest_piece_bytes_ = 0;
  size_t max_word_code_points_ = 100;
  bool cleans_text_ = true;
  bool separates_han_ = true;
  bool strips_accents_ = true;
  bool lowercases_ = true;
  int32_t cls_ = 0;
  int32_t sep_ = 0;
  int32_t pad_ = 0;
  int32_t unknown_ = 0;
};

}  // namespace sightline::text
