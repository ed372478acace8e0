// A question and its answer: the types at both ends of the query flow.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "store/filter.h"
#include "store/search_mode.h"
#include "store/unit.h"

namespace sightline::retrieve {

/// The ways in which units are found.
enum class Route { kLexical, kDense, kLateInteraction, kImage, kConcept, kDual };
/// "lexical", "dense", "late_interaction", "image", "concept", "dual".
const char* RouteName(Route route);

/// A question in words, by a picture, or both.
struct SearchRequest {
  std::string query;       ///< UTF-8, at most 8 KiB; may be empty when there is a picture.
  std::string image_path;  ///< Local file with the query picture; empty: none.
  std::string collection = "default";
  store::Filter filter;
  int top_k = 10;  ///< 1 to 1,000.
  store::SearchMode mode = store::SearchMode::kFast;
  /// Only these routes (measurement); empty: all that apply.
  std::vector<Route> routes;
};

/// Where a route placed a unit.
struct RouteScore {
  int rank = 0;  ///< 1-based within the route.
  float score = 0;
};

/// A snippet with the matched parts as [begin, end) code points.
struct HighlightedText {
  std::string text;
  std::vector<std::pair<int, int>> highlights;
};

/// One page, picture or moment, with the evidence.
struct Hit {
  int rank = 0;  ///< 1-based.
  float score = 0;
  store::Document document;
  store::Unit unit;               ///< What is shown: the page, picture, shot or passage.
  std::vector<media::Box> boxes;  ///< Matched regions of the page in points, best first.
  HighlightedText snippet;
  std::vector<std::string> reasons;  ///< "text", "speech", "on_screen_text", "picture", "concept".
  std::map<Route, RouteScore> scores;
};

/// How long one stage took.
struct StageTiming {
  std::string stage;  ///< "plan", "encode", "candidates", "fuse", "rerank", "evidence".
  double ms = 0;
};

/// The hits, and how they were found.
struct SearchResponse {
  std::vector<Hit> hits;
  std::int64_t total_candidates = 0;  ///< Distinct units that any route found.
  text::Language query_language = text::Language::kOther;
  std::vector<Route> routes;  ///< That ran.
  std::vector<StageTiming> timing;
  double took_ms = 0;
  std::vector<std::string> notes;  ///< What was left out and why ("no text encoder installed").
};

}  // namespace sightline::retrieve
