// How sure a route's score makes us, on one scale: what lets text hits and picture hits share a
// list without a stray picture in every answer.
#pragma once

#include "retrieve/search.h"

namespace sightline::retrieve {

/// Probability-like confidence in [0, 1], monotonic in `score`: a logistic curve a route
/// (docs/decisions/0009-confidence-of-routes.md). The constants belong to the default models.
double Confidence(Route route, double score);

/// Two independent pieces of evidence for the same thing (noisy or).
inline double Combine(double a, double b) { return 1 - (1 - a) * (1 - b); }

}  // namespace sightline::retrieve
