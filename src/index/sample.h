// Random samples.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

namespace sightline::index {

/// `most` different numbers below `count`, growing (Knuth, TAOCP vol. 2, 3.4.2, algorithm S); all
/// of them when there are no more. The same on every machine for a seed.
std::vector<std::size_t> SampleIndices(std::size_t count, std::size_t most, std::uint64_t seed);

}  // namespace sightline::index
