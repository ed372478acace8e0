// Approximate MaxSim by short codes.
#pragma once

#include <cstdint>
#include <memory>
#include <span>

#include "index/codec.h"
#include "kernels/max_sim.h"

namespace sightline::index {

/// One query, prepared for the codes of one codebook. Holds buffers: one a thread.
class CodeScorer {
 public:
  virtual ~CodeScorer() = default;
  /// About the MaxSim of the query with vectors `unit`, at least one, of `codes`, which lie as in a
  /// segment. The same to the bit wherever the unit is. Only to compare units with each other.
  virtual float MaxSim(const std::uint8_t* codes, kernels::VectorRange unit) = 0;
};

/// `query` is row-major [m, dims], finite, m ≥ 1; `codec` is of pq4, pq8 or bit and need not live
/// longer.
std::unique_ptr<CodeScorer> MakeCodeScorer(const Codec& codec, std::span<const float> query);

}  // namespace sightline::index
