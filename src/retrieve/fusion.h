// Reciprocal rank fusion (Cormack, Clarke, Büttcher: SIGIR 2009).
#pragma once

#include <span>
#include <vector>

#include "store/vector_store.h"

namespace sightline::retrieve {

/// k of the paper: how slowly the worth of a rank falls.
inline constexpr double kRrfK = 60;

/// A ranked list, best first, and how much it counts.
struct RankedList {
  std::vector<store::ScoredUnit> units;
  double weight = 1;
};

/// Sum over the lists of weight / (k + rank), best first, ties by unit id. Deterministic.
std::vector<store::ScoredUnit> FuseByRank(std::span<const RankedList> lists);

}  // namespace sightline::retrieve
