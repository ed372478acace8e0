// A query prepared for scanning 4-bit product quantisation codes.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

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

/// Codes of `kPq4` as the kernels scan them: groups of 32 vectors (kernels/pq4_scan.h).
class Pq4Groups {
 public:
  /// Room for `vectors` codes of 1 … 1,024 sub-vectors, all 0.
  Pq4Groups(std::size_t sub_vectors, std::size_t vectors);

  /// Puts the code of a vector in, once. Threads may do so at the same time for vectors of
  /// different groups.
  void Store(std::size_t vector, std::span<const std::uint8_t> code);

  /// Bytes of a group.
  std::size_t group_bytes() const { return padded_ * 16; }
  /// All groups; lanes beyond the last vector have codes of 0.
  std::span<const std::uint8_t> bytes() const { return bytes_; }

 private:
  std::size_t sub_vectors_;
  std::size_t padded_;
  std::vector<std::uint8_t> bytes_;
};

/// Scores units by their codes. Holds what a scan writes to: one a thread.
class Pq4Scorer {
 public:
  /// Both must live longer.
  Pq4Scorer(const Pq4Query& query, const Pq4Groups& groups);

  /// Approximate MaxSim with the vectors [first, end), at least one.
  float MaxSim(std::size_t first, std::size_t end);

 private:
  void TakeLanes(std::size_t group, std::size_t first_lane, std::size_t end_lane);

  const Pq4Query& query_;
  const Pq4Groups& groups_;
  std::vector<std::uint16_t> lanes_;  // [rows, 32]
  std::vector<std::uint16_t> best_;   // By query vector.
};

}  // namespace sightline::index
