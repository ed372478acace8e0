// Grouping: regions fold into their page, moments of one video that overlap fold into one.
#pragma once

#include <map>
#include <span>
#include <vector>

#include "base/result.h"
#include "retrieve/candidates.h"
#include "retrieve/search.h"
#include "store/unit.h"

namespace sightline::retrieve {

/// A unit that some route found, with what the route said.
struct Evidence {
  store::Unit unit;
  std::map<Route, RouteScore> scores;
  double confidence = 0;
};

/// Everything that speaks for one page, picture or moment.
struct Group {
  store::UnitId parent_id = 0;
  std::vector<Evidence> evidence;      ///< Most confident first.
  std::map<Route, RouteScore> scores;  ///< Best of each route.
  double confidence = 0;
};

/// Groups of the routes that decide the order: late interaction instead of the two text routes
/// that feed it, when it ran. Most confident first, ties by unit id.
base::Result<std::vector<Group>> GroupCandidates(const Candidates& candidates,
                                                 store::Catalog& catalog);

}  // namespace sightline::retrieve
