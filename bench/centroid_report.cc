#include "centroid_report.h"

#include <algorithm>
#include <cstdio>
#include <cstring>
#include <limits>
#include <span>
#include <vector>

#include "best_time.h"
#include "kernels/quantize_int8.h"
#include "kernels/query_batch.h"
#include "kernels/vector_group.h"

namespace sightline::bench {
namespace {

constexpr std::size_t kVectors = 64;
constexpr std::size_t kDistinctGroups = 64;

/// Groups of centroids that start at a multiple of 64; their content repeats.
class Centroids {
 public:
  Centroids(std::size_t groups, std::size_t dims)
      : storage_(groups * kernels::GroupBytes(dims) + 64) {
    const std::size_t bytes = kernels::GroupBytes(dims);
    data_ = storage_.data() + (64 - reinterpret_cast<std::uintptr_t>(storage_.data()) % 64) % 64;
    std::vector<std::int8_t> codes(dims);
    for (std::size_t g = 0; g < std::min(groups, kDistinctGroups); ++g) {
      kernels::ClearGroup(dims, data_ + g * bytes);
      for (std::size_t lane = 0; lane < kernels::kGroupLanes; ++lane) {
        const auto seed = static_cast<std::uint32_t>(g * kernels::kGroupLanes + lane);
        const std::vector<float> values = PatternValues(dims, seed);
        const float scale = kernels::QuantizeDocument(values, codes.data());
        kernels::StoreVector(codes, scale, lane, data_ + g * bytes);
      }
    }
    for (std::size_t g = kDistinctGroups; g < groups; ++g) {
      std::memcpy(data_ + g * bytes, data_ + g % kDistinctGroups * bytes, bytes);
    }
  }
  const std::uint8_t* data() const { return data_; }

 private:
  std::vector<std::uint8_t> storage_;
  std::uint8_t* data_;
};

void ReportOne(const kernels::KernelTable& table, std::size_t groups, std::size_t dims, int runs) {
  const Centroids centroids(groups, dims);
  const std::vector<float> vectors = PatternValues(kVectors * dims, 7);
  const std::span<const float> query(vectors);
  const kernels::QueryBatch batch(std::span(&query, 1), dims, table);
  const kernels::QueryRows rows = batch.rows();
  std::vector<float> best(kVectors * kernels::kGroupLanes);
  std::vector<std::uint32_t> numbers(best.size());
  constexpr float kLowest = -std::numeric_limits<float>::infinity();
  double max_seconds = std::numeric_limits<double>::infinity();
  double best_seconds = max_seconds;
  // In turn, so that what else runs disturbs both.
  for (int run = 0; run < runs; ++run) {
    max_seconds = std::min(max_seconds, BestSeconds(1, 4096 / groups, [&] {
                             std::ranges::fill(best, kLowest);
                             table.max_dots(&rows, centroids.data(), groups, dims, best.data());
                             sink = best[0];
                           }));
    best_seconds = std::min(best_seconds, BestSeconds(1, 4096 / groups, [&] {
                              std::ranges::fill(best, kLowest);
                              table.best_dots(&rows, centroids.data(), groups, dims, best.data(),
                                              numbers.data());
                              sink = best[0];
                            }));
  }
  const double operations =
      2.0 * kVectors * kernels::kGroupLanes * static_cast<double>(groups * dims);
  std::printf(
      "  best_dots, %3zu dims, %4zu groups    %9.2f us %8.1f G operations/s  %.3f x max_dots\n",
      dims, groups, best_seconds * 1e6, operations / best_seconds * 1e-9,
      best_seconds / max_seconds);
}

}  // namespace

void ReportCentroids(const kernels::KernelTable& table, int runs) {
  for (const std::size_t dims : {128U, 384U}) {
    for (const std::size_t groups : {256U, 1024U, 4096U}) ReportOne(table, groups, dims, runs);
  }
}

}  // namespace sightline::bench
