// The byte-level BPE tokenizer of CLIP, from `vocab.json` and `merges.txt`.
#pragma once

#include <array>
#include <memory>
#include <string>
#include <unordered_map>

#include "base/result.h"
#include "text/tokenizer.h"

namespace sightline::text {

/// See `Tokenizer`. Does what CLIPTokenizerFast does (NFC, white space to one space, lower case,
/// the pattern of words, bytes, merges), except that special tokens written in a text are text.
class BpeTokenizer : public Tokenizer {
 public:
  /// Reads both files. `kDataLoss` when they are damaged or do not belong together.
  static base::Result<std::unique_ptr<BpeTokenizer>> Load(const std::string& vocabulary_path,
                                                          const std::string& merges_path);
  /// The same from their bytes.
  static base::Result<std::unique_ptr<BpeTokenizer>> FromText(std::string_view vocabulary_json,
                                                              std::string_view merges);

  base::Result<std::vector<int32_t>> Encode(std::string_view text,
                                            size_t max_tokens) const override;
  size_t CountTokens(std::string_view text) const override;
  /// CLIP fills with its end token.
  int32_t PadId() const override { return end_; }

 private:
  struct Merge {
    int32_t rank = 0;
    int32_t id = 0;
  };
  using Vocabulary = std::unordered_map<std::string, int32_t>;

  BpeTokenizer() = default;
  base::Status ReadBytes(const Vocabulary& vocabulary);
  base::Status ReadMerges(const Vocabulary& vocabulary, std::string_view merges);
  const Merge* FindMerge(int32_t left, int32_t right) const;
  void Content(std::string_view text, size_t limit, std::vector<int32_t>* ids) const;
  void AppendWord(std::string_view word, std::vector<int32_t>* ids) const;

  std::array<int32_t, 256> byte_ids_{};
  std::array<int32_t, 256> last_byte_ids_{};  ///< of bytes that end a word ("</w>")
  std::unordered_map<uint64_t, Merge> merges_;
  int32_t start_ = 0;
  int32_t end_ = 0;
};

}  // namespace sightline::text
