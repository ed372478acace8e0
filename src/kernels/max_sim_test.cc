#include "kernels/max_sim.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <random>
#include <vector>

#include "kernels/dispatch.h"
#include "kernels/quantize_int8.h"
#include "kernels/vector_group.h"

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

/// Document vectors in groups, from lane `first` on.
std::vector<std::uint8_t> Groups(const std::vector<float>& vectors, std::size_t dims,
                                 std::size_t first = 0) {
  const std::size_t count = vectors.size() / dims;
  std::vector<std::uint8_t> groups(GroupCount(first + count) * GroupBytes(dims));
  for (std::size_t at = 0; at < groups.size(); at += GroupBytes(dims)) {
    ClearGroup(dims, groups.data() + at);
  }
  std::vector<std::int8_t> codes(dims);
  for (std::size_t v = 0; v < count; ++v) {
    const float scale = QuantizeDocument(std::span(vectors).subspan(v * dims, dims), codes.data());
    std::uint8_t* group = groups.data() + (first + v) / kGroupLanes * GroupBytes(dims);
    StoreVector(codes, scale, (first + v) % kGroupLanes, group);
  }
  return groups;
}

QueryBatch Batch(const std::vector<std::vector<float>>& queries, std::size_t dims,
                 const KernelTable& table = Kernels()) {
  const std::vector<std::span<const float>> spans(queries.begin(), queries.end());
  return {spans, dims, table};
}

std::vector<float> Scores(const QueryBatch& batch, const std::vector<std::uint8_t>& groups,
                          const std::vector<VectorRange>& units) {
  std::vector<float> scores(units.size() * batch.size());
  MaxSimScorer(batch).Score(groups.data(), units, scores);
  return scores;
}

double Dot(const std::vector<float>& a, std::size_t a_row, const std::vector<float>& b,
           std::size_t b_row, std::size_t dims) {
  double dot = 0;
  for (std::size_t i = 0; i < dims; ++i) dot += double{a[a_row * dims + i]} * b[b_row * dims + i];
  return dot;
}

double TrueMaxSim(const std::vector<float>& query, const std::vector<float>& rows, VectorRange unit,
                  std::size_t dims) {
  double sum = 0;
  for (std::size_t q = 0; q < query.size() / dims; ++q) {
    double best = -std::numeric_limits<double>::infinity();
    for (std::size_t r = unit.first; r < unit.end; ++r) {
      best = std::max(best, Dot(query, q, rows, r, dims));
    }
    sum += best;
  }
  return sum;
}

TEST(MaxSimTest, IsCloseToTheDefinition) {
  constexpr std::size_t kDims = 384;
  const auto rows = RandomUnitVectors(130, kDims, 6);
  const auto groups = Groups(rows, kDims);
  for (const std::size_t count : {1U, 2U, 3U, 32U, 70U}) {
    const auto query = RandomUnitVectors(count, kDims, 5);
    const double expected = TrueMaxSim(query, rows, {0, 130}, kDims);
    EXPECT_NEAR(Scores(Batch({query}, kDims), groups, {{0, 130}})[0], expected,
                0.006 * static_cast<double>(count));
  }
}

/// Units of 1 … 40 vectors, some vectors between them left out.
std::vector<VectorRange> RandomUnits(std::size_t vectors, unsigned seed) {
  std::mt19937 random(seed);
  std::uniform_int_distribution<std::size_t> size(1, 40);
  std::uniform_int_distribution<std::size_t> gap(0, 20);
  std::vector<VectorRange> units;
  std::size_t at = seed % 16;
  while (true) {
    const VectorRange unit{at, at + (seed % 3 == 0 ? 1 : size(random))};
    if (unit.end > vectors) return units;
    units.push_back(unit);
    at = unit.end + (gap(random) > 10 ? gap(random) : 0);
  }
}

TEST(MaxSimTest, UnitsMayLieAnywhereInGroups) {
  constexpr std::size_t kDims = 30;
  const auto rows = RandomUnitVectors(700, kDims, 11);
  const auto groups = Groups(rows, kDims);
  for (unsigned seed = 0; seed < 12; ++seed) {
    const auto units = RandomUnits(700, seed);
    ASSERT_GT(units.size(), 10U);
    const auto query = RandomUnitVectors(1 + seed % 4, kDims, seed);
    const auto scores = Scores(Batch({query}, kDims), groups, units);
    for (std::size_t u = 0; u < units.size(); ++u) {
      const std::size_t first = units[u].first * kDims;
      const std::vector<float> alone(
          rows.begin() + static_cast<std::ptrdiff_t>(first),
          rows.begin() + static_cast<std::ptrdiff_t>(units[u].end * kDims));
      const VectorRange all{0, alone.size() / kDims};
      EXPECT_EQ(scores[u], Scores(Batch({query}, kDims), Groups(alone, kDims), {all})[0])
          << "unit " << u << " seed " << seed;
      EXPECT_NEAR(scores[u], TrueMaxSim(query, rows, units[u], kDims), 0.1);
    }
  }
}

TEST(MaxSimTest, BatchGivesEachQueryWhatItGetsAlone) {
  constexpr std::size_t kDims = 48;
  const auto groups = Groups(RandomUnitVectors(300, kDims, 8), kDims);
  std::vector<std::vector<float>> queries;
  for (unsigned q = 0; q < 8; ++q) queries.push_back(RandomUnitVectors(1 + q * 5, kDims, 20 + q));
  const auto units = RandomUnits(300, 4);
  const auto together = Scores(Batch(queries, kDims), groups, units);
  for (std::size_t q = 0; q < queries.size(); ++q) {
    const auto alone = Scores(Batch({queries[q]}, kDims), groups, units);
    for (std::size_t u = 0; u < units.size(); ++u) {
      EXPECT_EQ(together[u * queries.size() + q], alone[u]) << "query " << q << " unit " << u;
    }
  }
}

TEST(MaxSimTest, IsTheSameToTheBitForEveryIsa) {
  constexpr std::size_t kDims = 101;
  const auto groups = Groups(RandomUnitVectors(300, kDims, 8), kDims);
  const auto units = RandomUnits(300, 5);
  for (const std::size_t count : {1U, 2U, 3U, 17U, 64U}) {
    const auto query = RandomUnitVectors(count, kDims, 7);
    const auto expected = Scores(Batch({query}, kDims, kScalarKernels), groups, units);
    for (const KernelTable* table : RunnableKernels()) {
      EXPECT_EQ(Scores(Batch({query}, kDims, *table), groups, units), expected) << table->name;
    }
  }
}

TEST(MaxSimTest, MatchNamesTheBestVectorOfTheUnit) {
  constexpr std::size_t kDims = 40;
  const auto rows = RandomUnitVectors(100, kDims, 30);
  const auto groups = Groups(rows, kDims);
  const auto query = RandomUnitVectors(9, kDims, 31);
  const VectorRange unit{21, 83};
  for (const KernelTable* table : RunnableKernels()) {
    const QueryBatch batch = Batch({query}, kDims, *table);
    std::vector<BestMatch> matches(9);
    MaxSimScorer(batch).Match(groups.data(), unit, matches);
    float sum = 0;
    for (std::size_t q = 0; q < matches.size(); ++q) {
      const double best = TrueMaxSim({query.begin() + static_cast<std::ptrdiff_t>(q * kDims),
                                      query.begin() + static_cast<std::ptrdiff_t>((q + 1) * kDims)},
                                     rows, unit, kDims);
      EXPECT_NEAR(Dot(query, q, rows, unit.first + matches[q].vector, kDims), best, 0.02);
      EXPECT_NEAR(matches[q].similarity, best, 0.02);
      sum += matches[q].similarity;
    }
    EXPECT_EQ(sum, Scores(batch, groups, {unit})[0]);
  }
}

TEST(MaxSimTest, MatchTakesTheFirstOfEqualVectors) {
  const auto groups = Groups({1, 0, 0, 1, 1, 0}, 2);
  const QueryBatch batch = Batch({{1, 0, 0, 1}}, 2);
  std::vector<BestMatch> matches(2);
  MaxSimScorer(batch).Match(groups.data(), {0, 3}, matches);
  EXPECT_EQ(matches[0].vector, 0U);
  EXPECT_EQ(matches[1].vector, 1U);
}

TEST(MaxSimTest, NegativeScoresAreLegal) {
  const auto groups = Groups({-1, 0, -0.5F, 0}, 2);
  EXPECT_NEAR(Scores(Batch({{1, 0}}, 2), groups, {{0, 2}})[0], -0.5, 0.01);
}

}  // namespace
}  // namespace sightline::kernels
