// MaxSim of a batch of queries with units whose vectors lie in groups.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "kernels/query_batch.h"

namespace sightline::kernels {

/// Vectors [first, end) of some groups: those of a unit. Never empty.
struct VectorRange {
  std::size_t first = 0;
  std::size_t end = 0;
};

/// The vector of a unit that answers a query vector best: what a heat map shows.
struct BestMatch {
  std::uint32_t vector = 0;  ///< Counted from the unit's first; the lowest one of equals.
  float similarity = 0;      ///< Their dot product.

  friend bool operator==(const BestMatch&, const BestMatch&) = default;
};

/// Scores units. Holds buffers: one a thread.
class MaxSimScorer {
 public:
  /// `queries` must live longer.
  explicit MaxSimScorer(const QueryBatch& queries);

  /// `scores[u * queries.size() + q]` = MaxSim (Khattab & Zaharia 2020, eq. 3) of query q and unit
  /// u: the sum over the query's vectors, in their order, of the largest dot product with a vector
  /// of the unit. `units` are ranges of the vectors in `groups`, which grow and do not overlap. The
  /// same to the bit for every table, batch and place of a unit in its groups.
  void Score(const std::uint8_t* groups, std::span<const VectorRange> units,
             std::span<float> scores);

  /// `matches[r]` = the best vector of the unit for vector r of the batch. Much slower than
  /// `Score`.
  void Match(const std::uint8_t* groups, VectorRange unit, std::span<BestMatch> matches);

 private:
  void ReadShared(const std::uint8_t* groups, std::size_t group);
  void ScoreInGroup(std::size_t lane, std::size_t end_lane, float* scores) const;
  void ScoreLong(const std::uint8_t* groups, VectorRange unit, float* scores);
  void TakeLanes(std::size_t lane, std::size_t end_lane);

  const QueryBatch& queries_;
  const QueryRows rows_;
  const std::size_t group_bytes_;
  std::vector<float> best_;    // [row][lane] of the unit in work.
  std::vector<float> shared_;  // [row][lane] of group `shared_group_`, which several units share.
  std::size_t shared_group_ = 0;
};

}  // namespace sightline::kernels
