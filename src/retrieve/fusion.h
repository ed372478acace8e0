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

/// How much a unit that has all the question's words is worth beside MaxSim a token, a cosine
/// (docs/decisions/0010-lexical-support.md).
inline constexpr float kLexicalSupport = 0.2F;

/// Convex-like combination of scores (Bruch, Gai, Ingber 2022, arXiv 2210.11934): adds
/// `kLexicalSupport` · BM25 / `bound` to each of `units` that `lexical` has, and sorts them again.
/// The bound, not the best hit, is the measure: a stray word in common supports little.
void AddLexicalSupport(std::span<const store::ScoredUnit> lexical, float bound,
                       std::vector<store::ScoredUnit>& units);

/// Sum over the lists of weight / (k + rank), best first, ties by unit id. Deterministic.
std::vector<store::ScoredUnit> FuseByRank(std::span<const RankedList> lists);

}  // namespace sightline::retrieve
