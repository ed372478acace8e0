// A query prepared for scanning 4-bit product quantisation codes.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "index/code_scorer.h"
#include "index/codec.h"
#include "kernels/pq4_scan.h"

namespace sightline::index {

/// What each query vector looks up for each code, as bytes: its dot product with a centroid of a
/// sub-vector ≈ least of that sub-vector + entry × step. One step a query vector, so that entries
/// of all sub-vectors can be added. Immutable; thread-safe.
class Pq4Query {
 public:
  /// `vectors` is row-major [m, dims], finite, m ≥ 1; `codec` is of `kPq4` and has at most 1,024
  /// sub-vectors.
  Pq4Query(const Codec& codec, std::span<const float> vectors);

  /// For the kernels; valid as long as this.
  kernels::Pq4Tables tables() const;
  /// Query vectors.
  std::size_t size() const { return steps_.size(); }
  /// The dot product of query vector `row` with a vector whose entries sum up to `sum`.
  float Dot(std::size_t row, std::uint16_t sum) const {
    return least_[row] + steps_[row] * static_cast<float>(sum);
  }

 private:
  void FillRow(std::size_t row, std::span<const float> dots, std::size_t sub_vectors);

  std::size_t padded_;                 // Sub-vectors, up to a multiple of 4.
  std::vector<std::uint8_t> entries_;  // [rows, padded, 16]
  std::vector<float> steps_;
  std::vector<float> least_;
};

/// Scores units by codes of pq4.
class Pq4Scorer final : public CodeScorer {
 public:
  /// As `Pq4Query`.
  Pq4Scorer(const Codec& codec, std::span<const float> vectors);

  float MaxSim(const std::uint8_t* codes, kernels::VectorRange unit) override;

 private:
  void TakeLanes(const std::uint8_t* group, std::size_t first_lane, std::size_t end_lane);

  const Pq4Query query_;
  const std::size_t group_bytes_;
  std::vector<std::uint16_t> lanes_;  // [rows, 32]
  std::vector<std::uint16_t> best_;   // By query vector.
};

}  // namespace sightline::index
