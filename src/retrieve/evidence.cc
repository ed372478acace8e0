#include "retrieve/evidence.h"

#include <algorithm>
#include <map>
#include <utility>

#include "retrieve/confidence.h"
#include "retrieve/side_task.h"
#include "text/analyzer.h"
#include "text/snippet.h"

namespace sightline::retrieve {
namespace {

using base::Result;
using base::StatusCode;

constexpr std::size_t kMaxBoxes = 4;
/// A region is framed with the best one when it is nearly as sure.
constexpr double kBoxConfidenceShare = 0.8;

bool IsPictureRoute(Route route) {
  return route == Route::kImage || route == Route::kConcept || route == Route::kDual;
}

std::string TextReason(media::TextSource source) {
  switch (source) {
    case media::TextSource::kSpeech:
      return "speech";
    case media::TextSource::kOcr:
    case media::TextSource::kOnScreenText:
      return "on_screen_text";
    case media::TextSource::kText:
    case media::TextSource::kSubtitle:
      return "text";
  }
  return "text";
}

void AddReason(std::string reason, std::vector<std::string>& reasons) {
  if (std::find(reasons.begin(), reasons.end(), reason) == reasons.end()) {
    reasons.push_back(std::move(reason));
  }
}

std::vector<std::string> Reasons(const Group& group) {
  std::vector<std::string> reasons;
  for (const Evidence& evidence : group.evidence) {
    for (const auto& [route, score] : evidence.scores) {
      if (route == Route::kConcept) {
        AddReason("concept", reasons);
      } else if (IsPictureRoute(route)) {
        AddReason("picture", reasons);
      } else {
        AddReason(TextReason(evidence.unit.source), reasons);
      }
    }
  }
  return reasons;
}

std::vector<media::Box> Boxes(const Group& group) {
  std::vector<media::Box> boxes;
  for (const Evidence& evidence : group.evidence) {
    const bool sure =
        evidence.confidence >= kBoxConfidenceShare * group.evidence.front().confidence;
    if (!sure || boxes.size() == kMaxBoxes) break;
    if (!evidence.unit.locator.box.IsEmpty()) boxes.push_back(evidence.unit.locator.box);
  }
  return boxes;
}

/// What the unit's text alone says for it.
double TextConfidence(const Evidence& evidence) {
  double confidence = 0;
  for (const auto& [route, score] : evidence.scores) {
    if (!IsPictureRoute(route)) confidence = std::max(confidence, Confidence(route, score.score));
  }
  return confidence;
}

/// The evidence whose text speaks loudest, unless a picture speaks louder.
const store::Unit* TextOf(const Group& group) {
  const store::Unit* best = nullptr;
  double best_confidence = 0;
  double picture_confidence = 0;
  for (const Evidence& evidence : group.evidence) {
    const double confidence = TextConfidence(evidence);
    if (!evidence.unit.text.empty() && confidence > best_confidence) {
      best = &evidence.unit;
      best_confidence = confidence;
    }
    for (const auto& [route, score] : evidence.scores) {
      if (IsPictureRoute(route)) {
        picture_confidence = std::max(picture_confidence, Confidence(route, score.score));
      }
    }
  }
  return best_confidence >= picture_confidence ? best : nullptr;
}

/// Names of what the best picture shows.
std::string ConceptNames(const Group& group) {
  std::string names;
  for (const Evidence& evidence : group.evidence) {
    for (const std::string& name : evidence.unit.concepts)
      names += (names.empty() ? "" : ", ") + name;
    if (!names.empty()) break;
  }
  return names;
}

HighlightedText MakeSnippet(const Group& group, const std::vector<text::Token>& query) {
  HighlightedText shown;
  if (const store::Unit* unit = TextOf(group); unit != nullptr) {
    text::Snippet snippet = text::BestSnippet(unit->text, query);
    shown.text = std::move(snippet.text);
    for (const text::HighlightRange& range : snippet.highlights) {
      shown.highlights.emplace_back(static_cast<int>(range.begin), static_cast<int>(range.end));
    }
    return shown;
  }
  shown.text = ConceptNames(group);
  return shown;
}

/// The unit that a person is shown: the parent, which may not be among the evidence itself.
Result<store::Unit> ShownUnit(const Group& group, store::Catalog& catalog) {
  for (const Evidence& evidence : group.evidence) {
    if (evidence.unit.id == group.parent_id) return evidence.unit;
  }
  SIGHTLINE_ASSIGN_OR_RETURN(std::vector<store::Unit> units,
                             catalog.GetUnits({&group.parent_id, 1}));
  if (units.empty()) return base::NotFound("the unit was removed");
  return std::move(units.front());
}

/// Finding the words of the question again in the text of each hit is most of this stage: each
/// thread of the pool takes a part of the hits.
void AddSnippets(std::span<const Group* const> groups, const std::vector<text::Token>& terms,
                 base::ThreadPool& pool, std::vector<Hit>& hits) {
  const std::size_t parts = std::clamp<std::size_t>(hits.size() / 2, 1, pool.thread_count());
  RunParts(pool, parts, [&](std::size_t part) {
    for (std::size_t i = part; i < hits.size(); i += parts) {
      hits[i].snippet = MakeSnippet(*groups[i], terms);
    }
  });
}

}  // namespace

Result<std::vector<Hit>> MakeHits(std::span<const Group> groups, std::string_view query,
                                  store::Catalog& catalog, base::ThreadPool& pool) {
  std::vector<Hit> hits;
  std::vector<const Group*> shown;
  std::map<std::string, store::Document> documents;
  for (const Group& group : groups) {
    Hit hit;
    auto unit = ShownUnit(group, catalog);
    if (unit.status().code() == StatusCode::kNotFound) continue;
    if (!unit.ok()) return unit.status();
    hit.unit = *std::move(unit);
    auto known = documents.find(hit.unit.document_id);
    if (known == documents.end()) {
      auto document = catalog.GetDocument(hit.unit.document_id);
      if (document.status().code() == StatusCode::kNotFound) continue;
      if (!document.ok()) return document.status();
      known = documents.emplace(hit.unit.document_id, *std::move(document)).first;
    }
    hit.document = known->second;
    hit.rank = static_cast<int>(hits.size() + 1);
    hit.score = static_cast<float>(group.confidence);
    hit.boxes = Boxes(group);
    hit.reasons = Reasons(group);
    hit.scores = group.scores;
    hits.push_back(std::move(hit));
    shown.push_back(&group);
  }
  AddSnippets(shown, text::AnalyzeQuery(query), pool, hits);
  return hits;
}

}  // namespace sightline::retrieve
