#include "page_report.h"

#include <algorithm>
#include <array>
#include <cstdint>
#include <cstdio>
#include <limits>
#include <random>
#include <vector>

#include "best_time.h"

namespace sightline::bench {
namespace {

constexpr std::size_t kRows = 32;
constexpr std::size_t kPageVectors = 1030;  // ColPali's vectors a page.
constexpr std::size_t kDims = 128;
constexpr std::size_t kSubVectors = 32;
constexpr std::size_t kRepetitions = 20;
constexpr float kLowest = -std::numeric_limits<float>::infinity();

std::vector<std::uint8_t> RandomBytes(std::size_t count, unsigned limit) {
  std::mt19937 random(1);
  std::vector<std::uint8_t> bytes(count);
  for (auto& byte : bytes) byte = static_cast<std::uint8_t>(random() % limit);
  return bytes;
}

double F32Seconds(const kernels::KernelTable& table, int runs) {
  const std::vector<float> query = PatternValues(kRows * kDims, 1);
  const std::vector<float> page = PatternValues(kPageVectors * kDims, 2);
  std::array<float, kRows> best;
  return BestSeconds(runs, kRepetitions, [&] {
    best.fill(kLowest);
    table.max_dots_f32(query.data(), kRows, page.data(), kPageVectors, kDims, best.data());
    sink = best[0];
  });
}

double F16Seconds(const kernels::KernelTable& table, int runs) {
  const std::vector<float> query = PatternValues(kRows * kDims, 1);
  std::mt19937 random(2);
  std::vector<std::uint16_t> page(kPageVectors * kDims);
  // From 2^-15 to below 4.
  for (auto& half : page) half = static_cast<std::uint16_t>(random() % 0x4400);
  std::array<float, kRows> best;
  return BestSeconds(runs, kRepetitions, [&] {
    best.fill(kLowest);
    table.max_dots_f16(query.data(), kRows, page.data(), kPageVectors, kDims, best.data());
    sink = best[0];
  });
}

double Pq4Seconds(const kernels::KernelTable& table, int runs) {
  constexpr std::size_t kGroups = (kPageVectors + kernels::kPq4Lanes - 1) / kernels::kPq4Lanes;
  const auto entries = RandomBytes(kRows * kSubVectors * 16, kernels::kPq4MaxEntry + 1);
  const auto codes = RandomBytes(kGroups * kSubVectors * 16, 256);
  const kernels::Pq4Tables tables = {entries.data(), kRows, kSubVectors};
  std::array<std::uint16_t, kRows * kernels::kPq4Lanes> lanes;
  std::array<std::uint16_t, kRows> best;
  return BestSeconds(runs, kRepetitions, [&] {
    lanes.fill(0);
    best.fill(0);
    table.pq4_max(&tables, codes.data(), kGroups, lanes.data());
    table.pq4_best(lanes.data(), kRows, best.data());
    sink = best[0];
  });
}

double HammingSeconds(const kernels::KernelTable& table, int runs) {
  constexpr std::size_t kCodeBytes = kDims / 8;
  const auto query = RandomBytes(kRows * kCodeBytes, 256);
  const auto codes = RandomBytes(kPageVectors * kCodeBytes, 256);
  std::array<std::uint32_t, kRows> best;
  return BestSeconds(runs, kRepetitions, [&] {
    best.fill(kDims);
    table.hamming_best(query.data(), kRows, codes.data(), kPageVectors, kCodeBytes, best.data());
    sink = static_cast<float>(best[0]);
  });
}

}  // namespace

void ReportPage(const kernels::KernelTable& table, double fma_peak, int runs) {
  constexpr double kOperations = 2.0 * kRows * kPageVectors * kDims;
  const double f32 = F32Seconds(table, runs);
  const double f16 = F16Seconds(table, runs);
  const auto print = [&](const char* name, double seconds) {
    std::printf("%-34s %9.2f us a page %8.1f G operations/s", name, seconds * 1e6,
                kOperations / seconds * 1e-9);
    if (fma_peak > 0) std::printf("  %5.1f %% of fma", kOperations / seconds / fma_peak * 100);
    std::printf("\n");
  };
  print("  f32, row-major", f32);
  print("  f16, row-major", f16);
  const double pq4 = Pq4Seconds(table, runs);
  std::printf("%-34s %9.2f us a page %8.2f x as fast as f32\n", "  4-bit codes, 32 sub-vectors",
              pq4 * 1e6, f32 / pq4);
  const double hamming = HammingSeconds(table, runs);
  std::printf("%-34s %9.2f us a page %8.2f x as fast as f32\n", "  1-bit codes", hamming * 1e6,
              f32 / hamming);
}

}  // namespace sightline::bench
