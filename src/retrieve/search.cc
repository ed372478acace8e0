#include "retrieve/search.h"

namespace sightline::retrieve {

const char* RouteName(Route route) {
  switch (route) {
    case Route::kLexical:
      return "lexical";
    case Route::kDense:
      return "dense";
    case Route::kLateInteraction:
      return "late_interaction";
    case Route::kImage:
      return "image";
    case Route::kConcept:
      return "concept";
    case Route::kDual:
      return "dual";
  }
  return "unknown";
}

}  // namespace sightline::retrieve
