#include "retrieve/grouping.h"

#include <algorithm>
#include <utility>

#include "retrieve/confidence.h"

namespace sightline::retrieve {
namespace {

using base::Result;
using store::ScoredUnit;
using store::Unit;
using store::UnitId;

using ScoresByUnit = std::map<UnitId, std::map<Route, RouteScore>>;

ScoresByUnit CollectScores(const Candidates& candidates) {
  ScoresByUnit scores;
  for (const auto& [route, units] : candidates.by_route) {
    for (std::size_t i = 0; i < units.size(); ++i) {
      scores[units[i].id][route] = {static_cast<int>(i + 1), units[i].score};
    }
  }
  return scores;
}

/// The text routes feed late interaction; once it has run, only its score counts for text.
bool Decides(Route route, bool has_late_interaction) {
  const bool feeds = route == Route::kLexical || route == Route::kDense;
  return !(has_late_interaction && feeds);
}

bool IsBetter(const RouteScore& a, const RouteScore& b) { return a.rank < b.rank; }

void AddEvidence(Group& group, Evidence evidence, bool has_late_interaction) {
  for (const auto& [route, score] : evidence.scores) {
    const auto [it, inserted] = group.scores.try_emplace(route, score);
    if (!inserted && IsBetter(score, it->second)) it->second = score;
    if (Decides(route, has_late_interaction)) {
      evidence.confidence = Combine(evidence.confidence, Confidence(route, score.score));
    }
  }
  group.evidence.push_back(std::move(evidence));
}

/// A page is as sure as its best region; a picture or moment found by words and by what it shows
/// is surer than by one of them.
void Conclude(Group& group, bool has_late_interaction) {
  std::stable_sort(
      group.evidence.begin(), group.evidence.end(),
      [](const Evidence& a, const Evidence& b) { return a.confidence > b.confidence; });
  group.confidence = 0;
  for (const auto& [route, score] : group.scores) {
    if (Decides(route, has_late_interaction)) {
      group.confidence = Combine(group.confidence, Confidence(route, score.score));
    }
  }
}

/// Moments that are no further apart than this are one to a person.
constexpr std::int64_t kNeighbourMs = 2'000;

bool AreNeighbours(const Unit& a, const Unit& b) {
  return a.document_id == b.document_id && a.locator.start_ms >= 0 && b.locator.start_ms >= 0 &&
         a.locator.start_ms < b.locator.end_ms + kNeighbourMs &&
         b.locator.start_ms < a.locator.end_ms + kNeighbourMs;
}

/// Moments that overlap a better one of the same video, or stand beside it, become evidence of it.
std::vector<Group> FoldMoments(std::vector<Group> groups, bool has_late_interaction) {
  std::vector<Group> folded;
  std::map<std::string, std::vector<std::size_t>> moments;  // Document → kept groups.
  for (Group& group : groups) {
    const Unit& unit = group.evidence.front().unit;
    Group* into = nullptr;
    for (const std::size_t kept : moments[unit.document_id]) {
      if (AreNeighbours(folded[kept].evidence.front().unit, unit)) {
        into = &folded[kept];
        break;
      }
    }
    if (into == nullptr) {
      if (unit.locator.start_ms >= 0) moments[unit.document_id].push_back(folded.size());
      folded.push_back(std::move(group));
      continue;
    }
    for (const auto& [route, score] : group.scores) into->scores.try_emplace(route, score);
    for (Evidence& evidence : group.evidence) into->evidence.push_back(std::move(evidence));
  }
  for (Group& group : folded) Conclude(group, has_late_interaction);
  return folded;
}

void SortGroups(std::vector<Group>& groups) {
  std::stable_sort(groups.begin(), groups.end(), [](const Group& a, const Group& b) {
    return a.confidence != b.confidence ? a.confidence > b.confidence : a.parent_id < b.parent_id;
  });
}

}  // namespace

Result<std::vector<Group>> GroupCandidates(const Candidates& candidates, store::Catalog& catalog) {
  const bool has_late = candidates.by_route.contains(Route::kLateInteraction);
  const ScoresByUnit scores = CollectScores(candidates);
  std::vector<UnitId> ids;
  ids.reserve(scores.size());
  for (const auto& [id, routes] : scores) {
    const bool counts = std::any_of(routes.begin(), routes.end(), [&](const auto& entry) {
      return Decides(entry.first, has_late);
    });
    if (counts) ids.push_back(id);
  }
  SIGHTLINE_ASSIGN_OR_RETURN(std::vector<Unit> units, catalog.GetUnits(ids));
  std::map<UnitId, Group> by_parent;
  for (Unit& unit : units) {
    Group& group = by_parent[unit.parent_id];
    group.parent_id = unit.parent_id;
    const UnitId id = unit.id;
    AddEvidence(group, {std::move(unit), scores.at(id), 0}, has_late);
  }
  std::vector<Group> groups;
  groups.reserve(by_parent.size());
  for (auto& [parent, group] : by_parent) {
    Conclude(group, has_late);
    groups.push_back(std::move(group));
  }
  SortGroups(groups);
  groups = FoldMoments(std::move(groups), has_late);
  SortGroups(groups);
  return groups;
}

}  // namespace sightline::retrieve
