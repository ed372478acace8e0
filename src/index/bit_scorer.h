// Scoring by codes of a bit a dim.
#pragma once

#include <vector>

#include "index/code_scorer.h"

namespace sightline::index {

/// Compares bits with bits: the fewer differ, the nearer are two vectors.
class BitScorer final : public CodeScorer {
 public:
  /// `codec` is of bit; `query` as for `MakeCodeScorer`.
  BitScorer(const Codec& codec, std::span<const float> query);

  /// Σ over query vectors of dims − 2 × the least Hamming distance.
  float MaxSim(const std::uint8_t* codes, kernels::VectorRange unit) override;

 private:
  const std::size_t rows_;
  const std::size_t dims_;
  const std::size_t code_bytes_;
  std::vector<std::uint8_t> query_;  // [rows, code_bytes]
  std::vector<std::uint32_t> best_;  // By query vector.
};

}  // namespace sightline::index
