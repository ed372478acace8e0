#include "retrieve/fusion.h"

#include <algorithm>
#include <map>

namespace sightline::retrieve {

std::vector<store::ScoredUnit> FuseByRank(std::span<const RankedList> lists) {
  std::map<store::UnitId, double> sums;
  for (const RankedList& list : lists) {
    for (std::size_t i = 0; i < list.units.size(); ++i) {
      sums[list.units[i].id] += list.weight / (kRrfK + static_cast<double>(i + 1));
    }
  }
  std::vector<std::pair<store::UnitId, double>> order(sums.begin(), sums.end());
  // Ids are already in order, so a stable sort settles ties by id.
  std::stable_sort(order.begin(), order.end(),
                   [](const auto& a, const auto& b) { return a.second > b.second; });
  std::vector<store::ScoredUnit> fused;
  fused.reserve(order.size());
  for (const auto& [id, score] : order) fused.push_back({id, static_cast<float>(score)});
  return fused;
}

}  // namespace sightline::retrieve
