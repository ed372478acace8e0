// Tokenizer: text to the ids that an encoder reads. One class for each family of models.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"

namespace sightline::text {

/// Contract of every tokenizer: immutable after loading and thread-safe; any bytes are allowed
/// (what is not UTF-8 counts as spaces); special tokens are never matched inside text, because
/// documents are not trusted; time and memory grow linearly with the text.
class Tokenizer {
 public:
  virtual ~Tokenizer() = default;

  /// At most `max_tokens` ids, the start and end tokens of the model included; content is cut at
  /// its end. `kInvalidArgument` when `max_tokens` has no room for start and end.
  virtual base::Result<std::vector<int32_t>> Encode(std::string_view text,
                                                    size_t max_tokens) const = 0;

  /// How many ids `Encode` gives without a limit, start and end included.
  virtual size_t CountTokens(std::string_view text) const = 0;

  /// What fills the rest of a batch row behind the ids of a shorter text.
  virtual int32_t PadId() const = 0;

 protected:
  Tokenizer() = default;
  Tokenizer(const Tokenizer&) = default;
  Tokenizer& operator=(const Tokenizer&) = default;
};

/// Reads a whole tokenizer file of at most `max_bytes`. `kNotFound`, `kIo`, or `kDataLoss` when it
/// is larger; messages name the path.
base::Result<std::string> ReadTokenizerFile(const std::string& path, size_t max_bytes);

}  // namespace sightline::text
