// Exact int8 MaxSim of every instruction set that this machine runs, in cache and from memory,
// beside what the machine can do at most: 32 query vectors, pages of 1,030 vectors, 128 dims. Then
// the same page as floats and as codes, and the search for the nearest centroid.
//
//   taskset -c 1 build/bench/bench/kernels_bench [GIB] [RUNS]

#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <limits>
#include <span>
#include <vector>

#include "best_time.h"
#include "centroid_report.h"
#include "kernels/dispatch.h"
#include "kernels/max_sim.h"
#include "kernels/quantize_int8.h"
#include "kernels/vector_group.h"
#include "machine_limits.h"
#include "page_report.h"

namespace sightline::bench {
namespace {

constexpr std::size_t kQueryVectors = 32;
constexpr std::size_t kPageVectors = 1030;  // ColPali's vectors a page.
constexpr std::size_t kDims = 128;
constexpr std::size_t kBatch = 8;
constexpr double kOperations = 2.0 * kQueryVectors * kPageVectors * kDims;

/// Vectors of kDims values that depend on the place and `seed` alone.
std::vector<float> Vectors(std::size_t count, std::uint32_t seed) {
  return PatternValues(count * kDims, seed);
}

/// Pages of equal content one after the other, as blocks of a segment hold them.
class Pages {
 public:
  explicit Pages(std::size_t bytes)
      : count_(std::max<std::size_t>(bytes / kPageBytes, 1)), storage_(count_ * kPageBytes + 64) {
    data_ = storage_.data() + (64 - reinterpret_cast<std::uintptr_t>(storage_.data()) % 64) % 64;
    const std::vector<float> page = Vectors(kPageVectors, 1);
    std::vector<std::int8_t> codes(kDims);
    for (std::size_t v = 0; v < kPageVectors; ++v) {
      std::uint8_t* group = data_ + v / kernels::kGroupLanes * kernels::GroupBytes(kDims);
      if (v % kernels::kGroupLanes == 0) kernels::ClearGroup(kDims, group);
      const float scale = kernels::QuantizeDocument({page.data() + v * kDims, kDims}, codes.data());
      kernels::StoreVector(codes, scale, v % kernels::kGroupLanes, group);
    }
    for (std::size_t p = 1; p < count_; ++p) std::memcpy(data_ + p * kPageBytes, data_, kPageBytes);
  }

  std::size_t count() const { return count_; }
  std::size_t size_bytes() const { return count_ * kPageBytes; }
  const std::uint8_t* page(std::size_t p) const { return data_ + p * kPageBytes; }

 private:
  static constexpr std::size_t kPageBytes =
      kernels::GroupCount(kPageVectors) * kernels::GroupBytes(kDims);

  std::size_t count_;
  std::vector<std::uint8_t> storage_;
  std::uint8_t* data_;
};

kernels::QueryBatch Queries(std::size_t count, const kernels::KernelTable& table) {
  std::vector<std::vector<float>> queries;
  for (std::size_t q = 0; q < count; ++q) {
    queries.push_back(Vectors(kQueryVectors, static_cast<std::uint32_t>(q + 7)));
  }
  const std::vector<std::span<const float>> spans(queries.begin(), queries.end());
  return {spans, kDims, table};
}

/// Seconds a page for `count` queries in one pass over all pages.
double MaxSimSeconds(const kernels::KernelTable& table, std::size_t count, const Pages& pages,
                     int runs, std::size_t passes) {
  const kernels::QueryBatch batch = Queries(count, table);
  kernels::MaxSimScorer scorer(batch);
  std::vector<float> scores(count);
  const kernels::VectorRange unit{0, kPageVectors};
  const double seconds = BestSeconds(runs, passes, [&] {
    for (std::size_t p = 0; p < pages.count(); ++p) {
      scorer.Score(pages.page(p), std::span(&unit, 1), scores);
      sink = scores[0];
    }
  });
  return seconds / static_cast<double>(pages.count());
}

void PrintRow(const char* name, double seconds, double queries, const char* limit, double share) {
  std::printf("%-34s %9.2f us a page %8.1f G operations/s", name, seconds * 1e6,
              queries * kOperations / seconds * 1e-9);
  if (limit != nullptr) std::printf("  %5.1f %% of %s", share * 100, limit);
  std::printf("\n");
}

#if defined(__x86_64__)
double PeakOperations(const PeakLoop& loop, int runs) {
  constexpr std::size_t kRounds = 1'000'000;
  return loop.operations * kRounds /
         BestSeconds(runs, 1, [&] { sink = static_cast<float>(loop.run(kRounds)); });
}

/// A page with rows of codes, one dot product at a time.
double PairDotSeconds(int runs) {
  std::vector<std::int8_t> query(kQueryVectors * kDims, 3);
  std::vector<std::int8_t> rows(kPageVectors * kDims, 5);
  return BestSeconds(runs, 50, [&] {
    float sum = 0;
    for (std::size_t q = 0; q < kQueryVectors; ++q) {
      std::int32_t best = std::numeric_limits<std::int32_t>::min();
      for (std::size_t d = 0; d < kPageVectors; ++d) {
        best = std::max(best, PairDotAvx2(&query[q * kDims], &rows[d * kDims], kDims));
      }
      sum += static_cast<float>(best);
    }
    sink = sum;
  });
}
#endif

/// The peak that belongs to a table; 0 when none was measured.
struct Limit {
  const char* name = nullptr;
  double operations = 0;
};

Limit LimitOf([[maybe_unused]] const kernels::KernelTable& table, [[maybe_unused]] int runs) {
#if defined(__x86_64__)
  if (std::strcmp(table.name, "avx2") == 0) {
    return {kAvx2Peak.name, PeakOperations(kAvx2Peak, runs)};
  }
  if (std::strcmp(table.name, "avx512") == 0) {
    return {kVnniPeak.name, PeakOperations(kVnniPeak, runs)};
  }
#endif
  return {};
}

/// Multiplications and additions of floats a second that registers of a table's width reach; 0 when
/// not measured.
double FmaOperations([[maybe_unused]] const kernels::KernelTable& table,
                     [[maybe_unused]] int runs) {
#if defined(__x86_64__)
  if (&table == &kernels::kScalarKernels) return 0;
  const PeakLoop& loop = &table == &kernels::kAvx2Kernels ? kFmaPeak256 : kFmaPeak512;
  const double operations = PeakOperations(loop, runs);
  std::printf("%-34s %26.1f G operations/s\n", loop.name, operations * 1e-9);
  return operations;
#else
  return 0;
#endif
}

void Report(const kernels::KernelTable& table, const Pages& cached, const Pages& streamed,
            double bandwidth, int runs) {
  std::printf("\n%s\n", table.name);
  const Limit limit = LimitOf(table, runs);
  if (limit.name != nullptr) {
    std::printf("%-34s %26.1f G operations/s\n", limit.name, limit.operations * 1e-9);
  }
  for (const std::size_t queries : {std::size_t{1}, kBatch}) {
    const auto count = static_cast<double>(queries);
    const double in_cache = MaxSimSeconds(table, queries, cached, runs, 200 / queries);
    PrintRow(queries == 1 ? "  in cache, 1 query" : "  in cache, 8 queries in one pass", in_cache,
             count, limit.name, count * kOperations / in_cache / limit.operations);
    const double streaming = MaxSimSeconds(table, queries, streamed, runs, 1);
    const double read = static_cast<double>(streamed.size_bytes()) /
                        static_cast<double>(streamed.count()) / streaming;
    PrintRow(queries == 1 ? "  from memory, 1 query" : "  from memory, 8 queries in one pass",
             streaming, count, "the read bandwidth", read / bandwidth);
  }
  ReportPage(table, FmaOperations(table, runs), runs);
  ReportCentroids(table, runs);
}

int Main(double gib, int runs) {
  const Pages cached(1);
  const Pages streamed(static_cast<std::size_t>(gib * 1024 * 1024 * 1024));
  double bandwidth = std::numeric_limits<double>::quiet_NaN();
#if defined(__x86_64__)
  if (__builtin_cpu_supports("avx2")) {
    const std::size_t bytes = streamed.size_bytes() / 256 * 256;
    bandwidth = static_cast<double>(bytes) / BestSeconds(runs, 1, [&] {
                  sink = static_cast<float>(ReadAllAvx2(streamed.page(0), bytes));
                });
    std::printf("read bandwidth, one core %38.1f GB/s\n", bandwidth * 1e-9);
    PrintRow("one pair at a time, AVX2", PairDotSeconds(runs), 1, nullptr, 0);
  }
#endif
  for (const kernels::KernelTable* table : kernels::RunnableKernels()) {
    if (table != &kernels::kScalarKernels) Report(*table, cached, streamed, bandwidth, runs);
  }
  return 0;
}

}  // namespace
}  // namespace sightline::bench

int main(int argc, char** argv) {
  const double gib = argc > 1 ? std::atof(argv[1]) : 1.0;
  const int runs = argc > 2 ? std::atoi(argv[2]) : 7;
  return sightline::bench::Main(gib, runs);
}
