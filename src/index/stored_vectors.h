// The vectors of a unit where they lie in a segment.
#pragma once

#include <cstdint>
#include <span>

#include "kernels/max_sim.h"
#include "kernels/vector_group.h"

namespace sightline::index {

/// Vectors `range` of `groups`. Valid as long as the reader they come from.
struct StoredVectors {
  const std::uint8_t* groups = nullptr;
  kernels::VectorRange range;

  /// Vectors of the unit.
  std::size_t size() const { return range.end - range.first; }
  /// Copies vector `at` < `size()` of the unit out; returns its scale. `codes` has one place a dim.
  float Load(std::size_t at, std::span<std::int8_t> codes) const {
    const std::size_t vector = range.first + at;
    const std::size_t offset = vector / kernels::kGroupLanes * kernels::GroupBytes(codes.size());
    return kernels::LoadVector(groups + offset, vector % kernels::kGroupLanes, codes);
  }
};

}  // namespace sightline::index
