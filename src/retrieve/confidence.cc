#include "retrieve/confidence.h"

#include <cmath>

namespace sightline::retrieve {
namespace {

struct Curve {
  double middle;  ///< Score at which a hit is as likely right as wrong.
  double steepness;
};

Curve CurveOf(Route route) {
  switch (route) {
    case Route::kLexical:
      return {12, 0.25};
    case Route::kDense:
      return {0.55, 12};
    case Route::kLateInteraction:
      return {0.53, 18};
    case Route::kImage:
      return {0.60, 12};
    case Route::kConcept:
      return {0.32, 30};
    case Route::kDual:
      return {0.27, 60};
  }
  return {0, 1};
}

}  // namespace

double Confidence(Route route, double score) {
  const Curve curve = CurveOf(route);
  return 1 / (1 + std::exp(-curve.steepness * (score - curve.middle)));
}

}  // namespace sightline::retrieve
