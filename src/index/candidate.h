// A unit that is worth a closer look, and where it lies.
#pragma once

#include <cstdint>

#include "index/scored_unit.h"

namespace sightline::index {

/// `segment` and `unit` are indices.
struct Candidate : ScoredUnit {
  std::uint32_t segment = 0;
  std::uint32_t unit = 0;
};

}  // namespace sightline::index
