// Kernels of every instruction set that this machine runs: exact int8 MaxSim of one page.
//
//   build/bench/bench/kernels_bench    (Google Benchmark; --benchmark_format=json)

#include <benchmark/benchmark.h>

#include <string>
#include <vector>

#include "kernels/dispatch.h"
#include "kernels/max_sim.h"

namespace sightline::kernels {
namespace {

constexpr std::size_t kQueryVectors = 32;
constexpr std::size_t kPageVectors = 1030;  // ColPali's vectors a page.
constexpr std::size_t kDims = 128;

/// Values in [-1, 1) that depend on the place alone.
std::vector<float> Vectors(std::size_t count) {
  std::vector<float> values(count * kDims);
  std::uint32_t state = 1;
  for (float& value : values) {
    state = state * 1664525U + 1013904223U;  // Numerical Recipes' generator.
    value = static_cast<float>(state >> 8U) / 8388608.0F - 1;
  }
  return values;
}

void MaxSim(benchmark::State& state, const KernelTable* table) {
  const std::vector<float> page = Vectors(kPageVectors);
  std::vector<std::int8_t> codes(page.size());
  std::vector<float> scales(kPageVectors);
  for (std::size_t i = 0; i < kPageVectors; ++i) {
    scales[i] = QuantizeInt8({page.data() + i * kDims, kDims}, codes.data() + i * kDims);
  }
  const Int8Query query(Vectors(kQueryVectors), kDims, *table);
  for ([[maybe_unused]] auto _ : state) {
    benchmark::DoNotOptimize(query.MaxSim(codes.data(), scales));
  }
  // A multiplication and an addition for every pair of values.
  state.counters["operations"] = benchmark::Counter(2.0 * kQueryVectors * kPageVectors * kDims,
                                                    benchmark::Counter::kIsIterationInvariantRate);
}

}  // namespace
}  // namespace sightline::kernels

int main(int argc, char** argv) {
  for (const auto* table : sightline::kernels::RunnableKernels()) {
    const std::string name = "MaxSim32x1030x128/" + std::string(table->name);
    benchmark::RegisterBenchmark(name.c_str(), sightline::kernels::MaxSim, table);
  }
  benchmark::Initialize(&argc, argv);
  benchmark::RunSpecifiedBenchmarks();
  benchmark::Shutdown();
  return 0;
}
