#include "retrieve/fusion.h"

#include <algorithm>
#include <map>
#include <unordered_map>

#include "index/scored_unit.h"

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

void AddLexicalSupport(std::span<const store::ScoredUnit> lexical, float bound,
                       std::vector<store::ScoredUnit>& units) {
  if (bound <= 0) return;
  std::unordered_map<store::UnitId, float> scores;
  for (const store::ScoredUnit& unit : lexical) scores.emplace(unit.id, unit.score);
  for (store::ScoredUnit& unit : units) {
    const auto found = scores.find(unit.id);
    if (found != scores.end()) unit.score += kLexicalSupport * found->second / bound;
  }
  std::sort(units.begin(), units.end(), index::RanksBefore);
}

}  // namespace sightline::retrieve
