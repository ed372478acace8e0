#include "index/token_pooling.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

#include "base/digest.h"
#include "base/random.h"

namespace sightline::index {
namespace {

using base::StatusCode;
using Vectors = std::vector<float>;

double Length(std::span<const float> vector) {
  double sum = 0;
  for (const float value : vector) sum += static_cast<double>(value) * static_cast<double>(value);
  return std::sqrt(sum);
}

std::span<const float> Row(std::span<const float> vectors, std::size_t dims, std::size_t i) {
  return vectors.subspan(i * dims, dims);
}

/// Unit vectors that depend on the seed alone.
Vectors UnitVectors(std::size_t count, std::size_t dims, std::uint64_t seed) {
  base::SeededRandom random(seed);
  Vectors vectors(count * dims);
  for (float& value : vectors) {
    value = static_cast<float>(random.NextUint64() >> 40U) * 0x1p-23F - 1;
  }
  for (std::size_t i = 0; i < count; ++i) {
    const double length = Length(Row(vectors, dims, i));
    for (std::size_t d = 0; d < dims; ++d) {
      float& value = vectors[i * dims + d];
      value = static_cast<float>(static_cast<double>(value) / length);
    }
  }
  return vectors;
}

Vectors Pool(std::span<const float> vectors, std::size_t dims, const PoolingOptions& options) {
  auto pooled = PoolTokens(vectors, dims, options, {});
  EXPECT_TRUE(pooled.ok()) << pooled.status().ToString();
  return pooled.ok() ? *std::move(pooled) : Vectors();
}

void ExpectNear(std::span<const float> actual, std::span<const float> expected,
                const std::string& what) {
  ASSERT_EQ(actual.size(), expected.size()) << what;
  for (std::size_t i = 0; i < actual.size(); ++i) {
    ASSERT_NEAR(actual[i], expected[i], 1e-5F) << what << ", value " << i;
  }
}

/// Ward's linkage as its definition says it: of all pairs, the one with the least growth of the
/// squared error, again and again; then the mean of each cluster with the mean length.
class NaiveWard {
 public:
  NaiveWard(std::span<const float> vectors, std::size_t dims) : vectors_(vectors), dims_(dims) {
    for (std::size_t i = 0; i < vectors.size() / dims; ++i) clusters_.push_back({i});
  }

  Vectors Pool(std::size_t count) {
    while (clusters_.size() > count) MergeNearest();
    std::ranges::sort(clusters_);
    Vectors pooled;
    for (const Members& members : clusters_) {
      std::vector<double> mean = Mean(members);
      double length = 0;
      for (const double value : mean) length += value * value;
      for (const double value : mean) {
        pooled.push_back(static_cast<float>(value / std::sqrt(length)));
      }
    }
    return pooled;
  }

 private:
  using Members = std::vector<std::size_t>;

  std::vector<double> Mean(const Members& members) const {
    std::vector<double> mean(dims_, 0);
    for (const std::size_t i : members) {
      for (std::size_t d = 0; d < dims_; ++d) {
        mean[d] +=
            static_cast<double>(vectors_[i * dims_ + d]) / static_cast<double>(members.size());
      }
    }
    return mean;
  }

  double SquaredError(const Members& members) const {
    const std::vector<double> mean = Mean(members);
    double error = 0;
    for (const std::size_t i : members) {
      for (std::size_t d = 0; d < dims_; ++d) {
        const double difference = static_cast<double>(vectors_[i * dims_ + d]) - mean[d];
        error += difference * difference;
      }
    }
    return error;
  }

  void MergeNearest() {
    double least = std::numeric_limits<double>::infinity();
    std::pair<std::size_t, std::size_t> nearest;
    for (std::size_t a = 0; a < clusters_.size(); ++a) {
      for (std::size_t b = a + 1; b < clusters_.size(); ++b) {
        const double growth =
            SquaredError(Joined(a, b)) - SquaredError(clusters_[a]) - SquaredError(clusters_[b]);
        if (growth < least) {
          least = growth;
          nearest = {a, b};
        }
      }
    }
    clusters_[nearest.first] = Joined(nearest.first, nearest.second);
    clusters_.erase(clusters_.begin() + static_cast<std::ptrdiff_t>(nearest.second));
  }

  Members Joined(std::size_t a, std::size_t b) const {
    Members joined = clusters_[a];
    joined.insert(joined.end(), clusters_[b].begin(), clusters_[b].end());
    std::ranges::sort(joined);
    return joined;
  }

  const std::span<const float> vectors_;
  const std::size_t dims_;
  std::vector<Members> clusters_;
};

TEST(TokenPoolingTest, OneVectorIsLeftOfFactorRoundedUp) {
  constexpr std::size_t kDims = 6;
  for (const std::size_t factor : {2U, 3U, 4U}) {
    for (std::size_t count = 1; count < 30; ++count) {
      const Vectors vectors = UnitVectors(count, kDims, count);
      const Vectors pooled = Pool(vectors, kDims, {.factor = static_cast<int>(factor)});
      EXPECT_EQ(pooled.size() / kDims, (count + factor - 1) / factor) << count << " by " << factor;
    }
  }
}

TEST(TokenPoolingTest, FactorOneChangesNothing) {
  const Vectors vectors = UnitVectors(9, 5, 1);
  EXPECT_EQ(Pool(vectors, 5, {.factor = 1}), vectors);
}

TEST(TokenPoolingTest, SpecialTokensStayTheSameToTheBit) {
  constexpr std::size_t kDims = 7;
  const Vectors vectors = UnitVectors(20, kDims, 2);
  const Vectors pooled =
      Pool(vectors, kDims, {.factor = 4, .protected_leading = 3, .protected_trailing = 2});
  ASSERT_EQ(pooled.size(), (3 + 4 + 2) * kDims);
  EXPECT_TRUE(std::equal(pooled.begin(), pooled.begin() + 3 * kDims, vectors.begin()));
  EXPECT_TRUE(std::equal(pooled.end() - 2 * kDims, pooled.end(), vectors.end() - 2 * kDims));
  const Vectors between(vectors.begin() + 3 * kDims, vectors.end() - 2 * kDims);
  EXPECT_EQ(Vectors(pooled.begin() + 3 * kDims, pooled.end() - 2 * kDims),
            Pool(between, kDims, {.factor = 4}));
}

TEST(TokenPoolingTest, AUnitOfSpecialTokensAloneStaysWhole) {
  const Vectors vectors = UnitVectors(4, 3, 3);
  for (const PoolingOptions& options :
       {PoolingOptions{.factor = 4, .protected_leading = 3, .protected_trailing = 1},
        PoolingOptions{.factor = 4, .protected_leading = 9, .protected_trailing = 9},
        PoolingOptions{.factor = 4, .protected_leading = 1, .protected_trailing = 1'000}}) {
    EXPECT_EQ(Pool(vectors, 3, options), vectors);
  }
}

TEST(TokenPoolingTest, ClustersStandInTheOrderOfTheirFirstVector) {
  // {0, 2} {1, 4} {3, 5}
  const Vectors vectors = {0, 0, 1, 1,    0,    0, 0, .28F, .96F,  //
                           0, 1, 0, .96F, .28F, 0, 0, .96F, .28F};
  const Vectors expected = {0, .141421356F, .989949494F, .989949494F, .141421356F,
                            0, 0,           .989949494F, .141421356F};
  ExpectNear(Pool(vectors, 3, {.factor = 2}), expected, "three pairs");
  const Vectors two = {0, 1, 1, 0, 0, 1, 1, 0};
  EXPECT_EQ(Pool(two, 2, {.factor = 2}), (Vectors{0, 1, 1, 0}));
  ExpectNear(Pool(two, 2, {.factor = 4}), Vectors{std::sqrt(.5F), std::sqrt(.5F)}, "one cluster");
}

TEST(TokenPoolingTest, EqualVectorsAreMergedFirst) {
  constexpr std::size_t kDims = 33;
  const Vectors different = UnitVectors(5, kDims, 4);
  Vectors vectors;
  for (const std::size_t i : {2U, 0U, 2U, 4U, 1U, 3U, 1U, 0U, 4U, 3U}) {
    const auto row = Row(different, kDims, i);
    vectors.insert(vectors.end(), row.begin(), row.end());
  }
  Vectors expected;
  for (const std::size_t i : {2U, 0U, 4U, 1U, 3U}) {
    const auto row = Row(different, kDims, i);
    expected.insert(expected.end(), row.begin(), row.end());
  }
  ExpectNear(Pool(vectors, kDims, {.factor = 2}), expected, "pairs");
}

TEST(TokenPoolingTest, OfEqualDistancesTheLowerIndicesCount) {
  const Vectors axes = {1, 0, 0, 0, 1, 0, 0, 0, 1};
  const float half = std::sqrt(.5F);
  ExpectNear(Pool(axes, 3, {.factor = 2}), Vectors{half, half, 0, 0, 0, 1}, "axes");

  // Two pairs that are as near, 1 and 2, 5 and 6; the nearest of 0 is 5, so that pair is met first.
  constexpr std::size_t kDims = 8;
  const Vectors vectors = {0, 0, 0,    0,     .5F,  .5F,   .7F, 0,  //
                           0, 0, .96F, .28F,  0,    0,     0,   0,  //
                           0, 0, .96F, -.28F, 0,    0,     0,   0,  //
                           1, 0, 0,    0,     0,    0,     0,   0,  //
                           1, 0, 0,    0,     0,    0,     0,   0,  //
                           0, 0, 0,    0,     .96F, .28F,  0,   0,  //
                           0, 0, 0,    0,     .96F, -.28F, 0,   0,  //
                           1, 0, 0,    0,     0,    0,     0,   0,  //
                           1, 0, 0,    0,     0,    0,     0,   0};
  const Vectors pooled = Pool(vectors, kDims, {.factor = 2});
  ASSERT_EQ(pooled.size(), 5 * kDims);
  const Vectors merged = {0, 0, 1, 0, 0, 0, 0, 0};
  ExpectNear(Row(pooled, kDims, 1), merged, "the pair of lower indices");
  for (const auto& [at, kept] : {std::pair(0U, 0U), std::pair(3U, 5U), std::pair(4U, 6U)}) {
    EXPECT_TRUE(std::ranges::equal(Row(pooled, kDims, at), Row(vectors, kDims, kept))) << kept;
  }
}

TEST(TokenPoolingTest, IsWardsLinkageAsDefined) {
  for (const std::size_t dims : {2U, 15U, 16U, 17U, 40U}) {
    for (std::uint64_t seed = 0; seed < 12; ++seed) {
      const std::size_t count = 2 + seed * 3;
      const Vectors vectors = UnitVectors(count, dims, 100 * dims + seed);
      for (const std::size_t factor : {2U, 3U, 4U}) {
        const std::string what = std::to_string(count) + " vectors of " + std::to_string(dims) +
                                 " dims by " + std::to_string(factor);
        ExpectNear(Pool(vectors, dims, {.factor = static_cast<int>(factor)}),
                   NaiveWard(vectors, dims).Pool((count + factor - 1) / factor), what);
      }
    }
  }
}

TEST(TokenPoolingTest, UnitVectorsStayUnitVectorsAndLengthsTheirMean) {
  constexpr std::size_t kDims = 24;
  const Vectors pooled = Pool(UnitVectors(101, kDims, 5), kDims, {.factor = 4});
  for (std::size_t i = 0; i < pooled.size() / kDims; ++i) {
    EXPECT_NEAR(Length(Row(pooled, kDims, i)), 1, 1e-6) << i;
  }
  const Vectors long_and_short = {3, 0, 0, 1, 1, 0, 0, 5};
  ExpectNear(Pool(long_and_short, 2, {.factor = 2}), Vectors{2, 0, 0, 3},
             "lengths 3 and 1, 1 and 5");
}

TEST(TokenPoolingTest, WhatCancelsOutIsRepresentedByTheFirst) {
  EXPECT_EQ(Pool(Vectors{0, 1, 0, -1}, 2, {.factor = 2}), (Vectors{0, 1}));
  EXPECT_EQ(Pool(Vectors(12, 0), 3, {.factor = 4}), (Vectors{0, 0, 0}));
}

/// Axes that are all as far from each other, but for the last bits: only rounding decides what is
/// merged, and merges come out nearer than those that they need.
Vectors NearlyEqualDistances(std::size_t count, std::uint64_t seed) {
  base::SeededRandom random(seed);
  Vectors vectors(count * count);
  for (std::size_t i = 0; i < vectors.size(); ++i) {
    const auto step = static_cast<float>(random.NextUint64() % 5) - 2;
    vectors[i] = step * 3e-8F + (i % (count + 1) == 0 ? 1.0F : 0.0F);
  }
  return vectors;
}

TEST(TokenPoolingTest, IsTheSameToTheBitOnEveryMachine) {
  Vectors all = Pool(UnitVectors(300, 50, 6), 50, {.factor = 3});
  for (std::size_t count = 20; count < 60; ++count) {
    const Vectors pooled = Pool(NearlyEqualDistances(count, count), count, {.factor = 3});
    all.insert(all.end(), pooled.begin(), pooled.end());
  }
  // Here a merged cluster is the nearest of one that stands earlier in the chain than its last.
  const Vectors returns = Pool(NearlyEqualDistances(13, 29'804), 13, {.factor = 2});
  all.insert(all.end(), returns.begin(), returns.end());
  EXPECT_EQ(base::Crc32c(std::as_bytes(std::span(all))), 317013090U);
}

TEST(TokenPoolingTest, OtherInputIsRefused) {
  const auto code = [](const Vectors& vectors, std::size_t dims, int factor) {
    return PoolTokens(vectors, dims, {.factor = factor}, {}).status().code();
  };
  const Vectors vectors = UnitVectors(6, 4, 7);
  for (const int factor : {-1, 0, 5}) {
    EXPECT_EQ(code(vectors, 4, factor), StatusCode::kInvalidArgument) << factor;
  }
  EXPECT_EQ(code(vectors, 0, 2), StatusCode::kInvalidArgument);
  EXPECT_EQ(code(vectors, 5, 2), StatusCode::kInvalidArgument);
  EXPECT_EQ(code({}, 4, 2), StatusCode::kInvalidArgument);
  EXPECT_EQ(code(Vectors(8'192, 1), 1, 1), StatusCode::kOk);
  EXPECT_EQ(code(Vectors(8'193, 1), 1, 1), StatusCode::kInvalidArgument);
  for (const float value :
       {std::numeric_limits<float>::quiet_NaN(), std::numeric_limits<float>::infinity()}) {
    EXPECT_EQ(code({1, 0, value, 1}, 2, 2), StatusCode::kInvalidArgument) << value;
  }
}

TEST(TokenPoolingTest, CancellingEndsIt) {
  const base::CancelToken cancel;
  cancel.Cancel();
  EXPECT_EQ(PoolTokens(UnitVectors(50, 4, 8), 4, {.factor = 2}, cancel).status().code(),
            StatusCode::kCancelled);
}

}  // namespace
}  // namespace sightline::index
