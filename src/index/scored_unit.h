// A unit and how well it answers.
#pragma once

#include "index/unit_set.h"

namespace sightline::index {

/// A unit and its score.
struct ScoredUnit {
  UnitId id = 0;
  float score = 0;  ///< MaxSim: sum over query vectors of the largest dot product.

  friend bool operator==(const ScoredUnit&, const ScoredUnit&) = default;
};

/// The order of results: score descending, ties by unit id ascending.
inline bool RanksBefore(const ScoredUnit& a, const ScoredUnit& b) {
  return a.score != b.score ? a.score > b.score : a.id < b.id;
}

}  // namespace sightline::index
