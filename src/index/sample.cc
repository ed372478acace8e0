#include "index/sample.h"

#include <algorithm>

#include "base/random.h"

namespace sightline::index {

std::vector<std::size_t> SampleIndices(std::size_t count, std::size_t most, std::uint64_t seed) {
  base::SeededRandom random(seed);
  std::vector<std::size_t> chosen;
  std::size_t wanted = std::min(count, most);
  chosen.reserve(wanted);
  for (std::size_t i = 0; wanted > 0; ++i) {
    if (random.NextUint64() % (count - i) >= wanted) continue;
    chosen.push_back(i);
    --wanted;
  }
  return chosen;
}

}  // namespace sightline::index
