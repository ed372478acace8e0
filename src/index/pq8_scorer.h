// Scoring by codes of a byte a sub-vector.
#pragma once

#include <vector>

#include "index/code_scorer.h"

namespace sightline::index {

/// Looks up the dot product of each sub-vector of the query with each centroid ("asymmetric
/// distance computation", Jégou et al. 2011).
class Pq8Scorer final : public CodeScorer {
 public:
  /// `codec` is of pq8; `query` as for `MakeCodeScorer`.
  Pq8Scorer(const Codec& codec, std::span<const float> query);

  float MaxSim(const std::uint8_t* codes, kernels::VectorRange unit) override;

 private:
  const std::size_t rows_;
  const std::size_t sub_vectors_;
  std::vector<float> tables_;  // [sub_vectors, 256, rows]
  std::vector<float> sums_;    // By query vector.
  std::vector<float> best_;
};

}  // namespace sightline::index
