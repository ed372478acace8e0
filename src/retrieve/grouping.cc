#include "retrieve/grouping.h"

#include <algorithm>
#include <iterator>
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
/// Moments in a row that are nearly as sure as the best of them show the same thing.
constexpr double kSameSceneShare = 0.8;

/// Moments of one video that are one hit, and how far they reach.
struct Scene {
  Group group;
  std::string document_id;
  std::int64_t start_ms = 0;
  std::int64_t end_ms = 0;
};

bool AreNeighbours(const Scene& a, const Scene& b) {
  return a.document_id == b.document_id && a.start_ms < b.end_ms + kNeighbourMs &&
         b.start_ms < a.end_ms + kNeighbourMs;
}

bool AreEquallySure(const Scene& a, const Scene& b) {
  const auto [less, more] = std::minmax(a.group.confidence, b.group.confidence);
  return less >= kSameSceneShare * more;
}

/// `from` becomes evidence of `into`, which stays as sure as its surest moment was.
void Absorb(Scene& into, Scene from) {
  for (const auto& [route, score] : from.group.scores) {
    const auto [it, inserted] = into.group.scores.try_emplace(route, score);
    if (!inserted && IsBetter(score, it->second)) it->second = score;
  }
  std::move(from.group.evidence.begin(), from.group.evidence.end(),
            std::back_inserter(into.group.evidence));
  if (from.group.confidence > into.group.confidence) {
    into.group.parent_id = from.group.parent_id;
    into.group.confidence = from.group.confidence;
  }
}

/// Moments in a row that are about equally sure become one; times in order.
std::vector<Scene> JoinScenes(std::vector<Scene> moments) {
  std::stable_sort(moments.begin(), moments.end(),
                   [](const Scene& a, const Scene& b) { return a.start_ms < b.start_ms; });
  std::vector<Scene> scenes;
  for (Scene& moment : moments) {
    const auto same = std::find_if(scenes.rbegin(), scenes.rend(), [&](const Scene& scene) {
      return AreNeighbours(scene, moment) && AreEquallySure(scene, moment);
    });
    if (same == scenes.rend()) {
      scenes.push_back(std::move(moment));
      continue;
    }
    same->end_ms = std::max(same->end_ms, moment.end_ms);
    Absorb(*same, std::move(moment));
  }
  return scenes;
}

/// A scene beside a surer one of the same video becomes evidence of it. Takes the surest first.
std::vector<Scene> FoldIntoSurer(std::vector<Scene> scenes) {
  std::stable_sort(scenes.begin(), scenes.end(), [](const Scene& a, const Scene& b) {
    return a.group.confidence > b.group.confidence;
  });
  std::vector<Scene> kept;
  for (Scene& scene : scenes) {
    const auto surer = std::find_if(kept.begin(), kept.end(), [&](const Scene& candidate) {
      return AreNeighbours(candidate, scene);
    });
    if (surer == kept.end()) {
      kept.push_back(std::move(scene));
    } else {
      Absorb(*surer, std::move(scene));
    }
  }
  return kept;
}

/// Pages and pictures stay as they are; moments of one video that belong together become one.
std::vector<Group> FoldMoments(std::vector<Group> groups, bool has_late_interaction) {
  std::vector<Group> folded;
  std::map<std::string, std::vector<Scene>> moments;
  for (Group& group : groups) {
    const Unit& unit = group.evidence.front().unit;
    if (unit.locator.start_ms < 0) {
      folded.push_back(std::move(group));
      continue;
    }
    Scene scene;
    scene.document_id = unit.document_id;
    scene.start_ms = unit.locator.start_ms;
    scene.end_ms = unit.locator.end_ms;
    scene.group = std::move(group);
    moments[scene.document_id].push_back(std::move(scene));
  }
  for (auto& [document, scenes] : moments) {
    for (Scene& scene : FoldIntoSurer(JoinScenes(std::move(scenes)))) {
      Conclude(scene.group, has_late_interaction);
      folded.push_back(std::move(scene.group));
    }
  }
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
  groups = FoldMoments(std::move(groups), has_late);
  SortGroups(groups);
  return groups;
}

}  // namespace sightline::retrieve
