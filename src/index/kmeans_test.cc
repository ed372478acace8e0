#include "index/kmeans.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <numeric>

#include "base/random.h"

namespace sightline::index {
namespace {

/// Values in [-1, 1) that depend on the seed alone.
std::vector<float> RandomValues(std::size_t count, std::uint64_t seed) {
  base::SeededRandom random(seed);
  std::vector<float> values(count);
  for (float& value : values) {
    value = static_cast<float>(random.NextUint64() >> 40U) * 0x1p-23F - 1;
  }
  return values;
}

double MeanDistance(std::span<const float> vectors, std::span<const float> centroids,
                    std::size_t dims) {
  const NearestCentroid nearest(centroids, dims);
  double sum = 0;
  for (std::size_t at = 0; at < vectors.size(); at += dims) {
    sum += nearest.Find(vectors.subspan(at, dims)).squared_distance;
  }
  return sum / static_cast<double>(vectors.size() / dims);
}

TEST(KMeansTest, ClustersThatLieApartAreFound) {
  constexpr std::size_t kDims = 3;
  const std::vector<float> middles = {10, 0, 0, -10, 5, 0, 0, -20, 7, 3, 3, 30};
  const std::vector<float> noise = RandomValues(400 * kDims, 7);
  std::vector<float> vectors;
  for (std::size_t i = 0; i < noise.size(); ++i) {
    vectors.push_back(middles[i / kDims % 4 * kDims + i % kDims] + noise[i]);
  }
  const auto centroids = TrainKMeans(vectors, kDims, {.clusters = 4}, {});
  ASSERT_TRUE(centroids.ok()) << centroids.status().ToString();
  const NearestCentroid nearest(*centroids, kDims);
  for (std::size_t c = 0; c < 4; ++c) {
    const auto middle = std::span(middles).subspan(c * kDims, kDims);
    EXPECT_LT(nearest.Find(middle).squared_distance, 0.1F) << c;
  }
}

TEST(KMeansTest, RoundsOnlyImprove) {
  constexpr std::size_t kDims = 8;
  const std::vector<float> vectors = RandomValues(2'000 * kDims, 3);
  double before = 1e9;
  for (const int rounds : {0, 1, 4, 16}) {
    const auto centroids = TrainKMeans(vectors, kDims, {.clusters = 32, .rounds = rounds}, {});
    ASSERT_TRUE(centroids.ok());
    const double now = MeanDistance(vectors, *centroids, kDims);
    EXPECT_LT(now, before) << rounds;
    before = now;
  }
}

TEST(KMeansTest, TheSeedDecides) {
  const std::vector<float> vectors = RandomValues(500 * 4, 1);
  const auto train = [&](std::uint64_t seed) {
    return *TrainKMeans(vectors, 4, {.clusters = 16, .seed = seed}, {});
  };
  EXPECT_EQ(train(5), train(5));
  EXPECT_NE(train(5), train(6));
}

TEST(KMeansTest, EqualVectorsLeaveNoClusterWithoutAPlace) {
  // 30 vectors, 3 different ones, 8 clusters.
  std::vector<float> vectors;
  for (int i = 0; i < 30; ++i) vectors.insert(vectors.end(), {static_cast<float>(i % 3), 1.0F});
  const auto centroids = TrainKMeans(vectors, 2, {.clusters = 8}, {});
  ASSERT_TRUE(centroids.ok());
  ASSERT_EQ(centroids->size(), 16U);
  EXPECT_TRUE(
      std::all_of(centroids->begin(), centroids->end(), [](float v) { return std::isfinite(v); }));
  EXPECT_EQ(MeanDistance(vectors, *centroids, 2), 0);
}

TEST(KMeansTest, TooFewVectorsAreRefused) {
  const std::vector<float> vectors(3 * 4, 1);
  EXPECT_TRUE(TrainKMeans(vectors, 4, {.clusters = 3}, {}).ok());
  for (const std::size_t clusters : {0U, 4U}) {
    EXPECT_EQ(TrainKMeans(vectors, 4, {.clusters = clusters}, {}).status().code(),
              base::StatusCode::kInvalidArgument);
  }
  EXPECT_EQ(TrainKMeans(vectors, 5, {.clusters = 1}, {}).status().code(),
            base::StatusCode::kInvalidArgument);
  EXPECT_EQ(TrainKMeans({}, 4, {.clusters = 1}, {}).status().code(),
            base::StatusCode::kInvalidArgument);
}

TEST(KMeansTest, CancellingEndsIt) {
  const base::CancelToken cancel;
  cancel.Cancel();
  EXPECT_EQ(TrainKMeans(RandomValues(400, 1), 4, {.clusters = 16}, cancel).status().code(),
            base::StatusCode::kCancelled);
}

TEST(NearestCentroidTest, IsTheNaiveOneForEveryCount) {
  for (const std::size_t clusters : {1U, 2U, 15U, 63U, 64U, 65U, 130U}) {
    constexpr std::size_t kDims = 5;
    const std::vector<float> centroids = RandomValues(clusters * kDims, clusters);
    const NearestCentroid nearest(centroids, kDims);
    for (std::uint64_t seed = 0; seed < 20; ++seed) {
      const std::vector<float> vector = RandomValues(kDims, 100 + seed);
      std::size_t expected = 0;
      float least = 1e9F;
      for (std::size_t c = 0; c < clusters; ++c) {
        float distance = 0;
        for (std::size_t d = 0; d < kDims; ++d) {
          const float difference = vector[d] - centroids[c * kDims + d];
          distance += difference * difference;
        }
        if (distance < least) {
          least = distance;
          expected = c;
        }
      }
      const auto match = nearest.Find(vector);
      EXPECT_EQ(match.centroid, expected);
      EXPECT_FLOAT_EQ(match.squared_distance, least);
    }
  }
}

TEST(NearestCentroidTest, OfEqualOnesTheFirstIsTaken) {
  const std::vector<float> centroids = {1, 1, 2, 2, 1, 1};
  EXPECT_EQ(NearestCentroid(centroids, 2).Find(std::vector<float>{1, 1}).centroid, 0U);
}

}  // namespace
}  // namespace sightline::index
