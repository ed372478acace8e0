// The pieces, scores and code point rules of a unigram tokenizer, as `tokenizer.bin` holds them
// (docs/format/e5-tokenizer.md), with a table that finds a piece by its bytes.
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"

namespace sightline::text {

/// Immutable after `Parse`; thread-safe.
class UnigramModel {
 public:
  /// Checks every count, length and offset before use. `kDataLoss` says what is wrong and where.
  static base::Result<UnigramModel> Parse(std::string bytes);

  int32_t bos() const { return bos_; }  ///< Starts a text.
  int32_t pad() const { return pad_; }  ///< Fills a batch.
  int32_t eos() const { return eos_; }  ///< Ends a text.
  int32_t unk() const { return unk_; }  ///< Stands for a run that is in no piece.
  /// Score of one code point that is in no piece.
  double unknown_score() const { return unknown_score_; }

  /// One piece found at the start of a text.
  struct Match {
    int32_t id;
    double score;
    uint32_t end_code_point;  ///< index of the code point behind it, counted from the start
  };

  /// Appends the pieces that start at code point `start` of a text, short to long. `ends[i]` is the
  /// byte behind code point i of `text`. Looks at no more than the longest piece: O(1).
  void MatchesAt(std::string_view text, const std::vector<uint32_t>& ends, size_t start,
                 std::vector<Match>* matches) const;

  /// Appends what code point `c` becomes: itself, or the right side of its rule.
  void Replace(char32_t c, std::u32string* out) const;

 private:
  struct Layout;
  struct Slot {
    uint32_t tag = 0;
    int32_t id = -1;
  };

  UnigramModel() = default;
  base::Status CheckOffsets(const Layout& layout) const;
  void BuildTable(uint32_t piece_count);
  std::string_view Piece(uint32_t id) const;
  int32_t Find(std::string_view piece, uint64_t hash) const;

  std::string bytes_;
  size_t blob_begin_ = 0;
  std::vector<uint32_t> offsets_;
  std::vector<float> scores_;
  std::vector<uint32_t> rule_code_points_;
  std::vector<uint32_t> rule_starts_;
  std::vector<uint32_t> replacements_;
  std::vector<Slot> slots_;
  /// Longest piece (in code points) by the hash of its first two code points: bounds the look-ups.
  std::vector<uint8_t> longest_;
  int32_t bos_ = 0;
  int32_t pad_ = 0;
  int32_t eos_ = 0;
  int32_t unk_ = 0;
  double unknown_score_ = 0;
};

}  // namespace sightline::text
