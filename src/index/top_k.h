// The best k of a stream of scored units.
#pragma once

#include <algorithm>
#include <cstddef>
#include <utility>
#include <vector>

#include "index/scored_unit.h"

namespace sightline::index {

/// Keeps the best `k`; the result does not depend on the order of pushes. `Unit` is a ScoredUnit or
/// derived from one. Not thread-safe.
template <typename Unit>
class BestOf {
 public:
  /// `k` may be larger than what comes.
  explicit BestOf(std::size_t k) : k_(k) {}

  /// Takes a unit in, or drops it.
  void Push(const Unit& unit) {
    if (heap_.size() < k_) {
      heap_.push_back(unit);
      std::push_heap(heap_.begin(), heap_.end(), RanksBefore);
    } else if (k_ > 0 && RanksBefore(unit, heap_.front())) {
      std::pop_heap(heap_.begin(), heap_.end(), RanksBefore);
      heap_.back() = unit;
      std::push_heap(heap_.begin(), heap_.end(), RanksBefore);
    }
  }

  /// Best first; leaves it empty.
  std::vector<Unit> Take() {
    std::sort_heap(heap_.begin(), heap_.end(), RanksBefore);
    return std::exchange(heap_, {});
  }

 private:
  const std::size_t k_;
  std::vector<Unit> heap_;  // The worst in front.
};

using TopK = BestOf<ScoredUnit>;

}  // namespace sightline::index
