// The tokenizer of multilingual-e5 (XLM-RoBERTa's unigram pieces), after
// docs/format/e5-tokenizer.md.
#pragma once

#include <memory>
#include <string>

#include "base/result.h"
#include "text/tokenizer.h"

namespace sightline::text {

class UnigramModel;

/// See `Tokenizer`. The prefixes "query: " and "passage: " are part of the text that a caller
/// gives.
class UnigramTokenizer : public Tokenizer {
 public:
  /// Reads `tokenizer.bin`. `kDataLoss` when it is damaged.
  static base::Result<std::unique_ptr<UnigramTokenizer>> Load(const std::string& path);
  /// The same from its bytes.
  static base::Result<std::unique_ptr<UnigramTokenizer>> FromBytes(std::string bytes);

  ~UnigramTokenizer() override;

  base::Result<std::vector<int32_t>> Encode(std::string_view text,
                                            size_t max_tokens) const override;
  size_t CountTokens(std::string_view text) const override;
  int32_t PadId() const override;

 private:
  explicit UnigramTokenizer(std::unique_ptr<const UnigramModel> model);

  std::unique_ptr<const UnigramModel> model_;
};

}  // namespace sightline::text
