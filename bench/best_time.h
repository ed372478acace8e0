// How benchmarks of kernels measure, and what they measure with.
#pragma once

#include <algorithm>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <vector>

namespace sightline::bench {

/// Best time of `runs` calls, in seconds a repetition. Others use the machine too: the least
/// disturbed run counts.
template <typename Work>
double BestSeconds(int runs, std::size_t repetitions, const Work& work) {
  double best = std::numeric_limits<double>::infinity();
  for (int run = 0; run < runs; ++run) {
    const auto start = std::chrono::steady_clock::now();
    for (std::size_t i = 0; i < repetitions; ++i) work();
    const std::chrono::duration<double> took = std::chrono::steady_clock::now() - start;
    best = std::min(best, took.count() / static_cast<double>(repetitions));
  }
  return best;
}

/// What a result is put into, so that nothing is left out.
inline volatile float sink;

/// Values in [-1, 1) that depend on the place and `seed` alone.
inline std::vector<float> PatternValues(std::size_t count, std::uint32_t seed) {
  std::vector<float> values(count);
  std::uint32_t state = seed;
  for (float& value : values) {
    state = state * 1664525U + 1013904223U;  // Numerical Recipes' generator.
    value = static_cast<float>(state >> 8U) / 8388608.0F - 1;
  }
  return values;
}

}  // namespace sightline::bench
