#include "kernels/max_sim.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <random>
#include <vector>

#include "kernels/dispatch.h"

namespace sightline::kernels {
namespace {

std::vector<float> RandomUnitVectors(std::size_t count, std::size_t dims, unsigned seed) {
  std::mt19937 random(seed);
  std::normal_distribution<float> normal;
  std::vector<float> vectors(count * dims);
  for (float& value : vectors) value = normal(random);
  for (std::size_t v = 0; v < count; ++v) {
    double norm = 0;
    for (std::size_t i = 0; i < dims; ++i) norm += std::pow(vectors[v * dims + i], 2);
    for (std::size_t i = 0; i < dims; ++i) {
      vectors[v * dims + i] /= static_cast<float>(std::sqrt(norm));
    }
  }
  return vectors;
}

struct Codes {
  std::vector<std::int8_t> codes;
  std::vector<float> scales;
};

Codes Quantize(const std::vector<float>& vectors, std::size_t dims) {
  Codes out{std::vector<std::int8_t>(vectors.size()), std::vector<float>(vectors.size() / dims)};
  for (std::size_t v = 0; v < out.scales.size(); ++v) {
    out.scales[v] = QuantizeInt8(std::span(vectors).subspan(v * dims, dims), &out.codes[v * dims]);
  }
  return out;
}

double TrueMaxSim(const std::vector<float>& query, const std::vector<float>& rows,
                  std::size_t dims) {
  double sum = 0;
  for (std::size_t q = 0; q < query.size() / dims; ++q) {
    double best = -std::numeric_limits<double>::infinity();
    for (std::size_t r = 0; r < rows.size() / dims; ++r) {
      double dot = 0;
      for (std::size_t i = 0; i < dims; ++i) {
        dot += double{query[q * dims + i]} * double{rows[r * dims + i]};
      }
      best = std::max(best, dot);
    }
    sum += best;
  }
  return sum;
}

TEST(MaxSimTest, IsCloseToTheDefinition) {
  constexpr std::size_t kDims = 384;
  for (const std::size_t queries : {1U, 2U, 3U, 32U, 70U}) {
    const auto query = RandomUnitVectors(queries, kDims, 5);
    const auto rows = RandomUnitVectors(130, kDims, 6);
    const Codes codes = Quantize(rows, kDims);
    const Int8Query prepared(query, kDims, Kernels());
    const double expected = TrueMaxSim(query, rows, kDims);
    EXPECT_NEAR(prepared.MaxSim(codes.codes.data(), codes.scales), expected,
                0.004 * static_cast<double>(queries));
  }
}

TEST(MaxSimTest, IsTheSameToTheBitForEveryIsa) {
  constexpr std::size_t kDims = 100;
  for (const std::size_t queries : {1U, 2U, 3U, 17U}) {
    const auto query = RandomUnitVectors(queries, kDims, 7);
    const Codes rows = Quantize(RandomUnitVectors(300, kDims, 8), kDims);
    const float expected =
        Int8Query(query, kDims, kScalarKernels).MaxSim(rows.codes.data(), rows.scales);
    for (const KernelTable* table : RunnableKernels()) {
      EXPECT_EQ(Int8Query(query, kDims, *table).MaxSim(rows.codes.data(), rows.scales), expected)
          << table->name;
    }
  }
}

TEST(MaxSimTest, DotsEqualMaxSimOfEachRowAlone) {
  constexpr std::size_t kDims = 48;
  const auto query = RandomUnitVectors(1, kDims, 9);
  const Codes rows = Quantize(RandomUnitVectors(300, kDims, 10), kDims);
  const Int8Query prepared(query, kDims, Kernels());
  std::vector<float> dots(rows.scales.size());
  prepared.Dots(rows.codes.data(), rows.scales, dots);
  for (std::size_t r = 0; r < dots.size(); ++r) {
    EXPECT_EQ(dots[r],
              prepared.MaxSim(&rows.codes[r * kDims], std::span(rows.scales).subspan(r, 1)));
  }
}

TEST(MaxSimTest, NegativeScoresAreLegal) {
  const std::vector<float> query = {1, 0};
  const Codes rows = Quantize({-1, 0, -0.5F, 0}, 2);
  EXPECT_NEAR(Int8Query(query, 2, Kernels()).MaxSim(rows.codes.data(), rows.scales), -0.5, 0.01);
}

TEST(QuantizeInt8Test, ZeroAndTinyVectorsHaveScaleZero) {
  std::vector<std::int8_t> codes(2, 9);
  EXPECT_EQ(QuantizeInt8(std::vector<float>{0, 0}, codes.data()), 0.0F);
  EXPECT_EQ(codes, (std::vector<std::int8_t>{0, 0}));
  EXPECT_EQ(QuantizeInt8(std::vector<float>{1e-42F, 0}, codes.data()), 0.0F);
  const float huge = std::numeric_limits<float>::max();
  EXPECT_GT(QuantizeInt8(std::vector<float>{huge, -huge}, codes.data()), 0.0F);
  EXPECT_EQ(codes, (std::vector<std::int8_t>{127, -127}));
}

}  // namespace
}  // namespace sightline::kernels
