#include "index/centroid_trainer.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <set>

#include "index/segment_fixture.h"
#include "kernels/dispatch.h"

namespace sightline::index {
namespace {

constexpr std::size_t kDims = 20;
constexpr std::size_t kClusters = 16;

/// Vectors of any length near one of sixteen directions; vector i is near direction i % 16.
std::vector<float> Clustered(std::size_t count) {
  const auto directions = RandomVectors(kClusters, kDims, 1);
  const auto noise = RandomVectors(count, kDims, 2);
  std::vector<float> vectors(count * kDims);
  for (std::size_t i = 0; i < count; ++i) {
    const float length = 0.1F + static_cast<float>(i % 7);
    for (std::size_t d = 0; d < kDims; ++d) {
      vectors[i * kDims + d] =
          length * (directions[i % kClusters * kDims + d] + 0.2F * noise[i * kDims + d]);
    }
  }
  return vectors;
}

CentroidTraining Training(int threads = 1) {
  CentroidTraining training;
  training.centroids = kClusters;
  training.rounds = 20;
  training.threads = threads;
  return training;
}

std::vector<Centroids::Match> Nearest(const Centroids& centroids, std::span<const float> vectors) {
  std::vector<Centroids::Match> matches(vectors.size() / kDims);
  centroids.Nearest({std::span(&vectors, 1), kDims, kernels::Kernels()}, matches);
  return matches;
}

TEST(CentroidTrainerTest, VectorsOfOneDirectionComeTogether) {
  const auto vectors = Clustered(800);
  CentroidTrainer trainer(kDims);
  trainer.Add(vectors);
  const auto centroids = trainer.Train(Training(), {});
  ASSERT_TRUE(centroids.ok()) << centroids.status().ToString();
  ASSERT_EQ(centroids->count(), kClusters);
  const auto matches = Nearest(*centroids, vectors);
  // k-means may join two directions and part another; most are found as they are.
  std::set<std::uint32_t> used;
  std::size_t together = 0;
  for (std::size_t i = 0; i < matches.size(); ++i) {
    used.insert(matches[i].centroid);
    together += matches[i].centroid == matches[i % kClusters].centroid ? 1 : 0;
  }
  EXPECT_GT(together, 700U);
  EXPECT_GE(used.size(), 12U);
}

TEST(CentroidTrainerTest, CentroidsHaveLengthOne) {
  CentroidTrainer trainer(kDims);
  trainer.Add(Clustered(300));
  const auto centroids = trainer.Train(Training(), {});
  std::vector<std::int8_t> codes(kDims);
  for (std::size_t c = 0; c < centroids->count(); ++c) {
    const std::uint8_t* group = centroids->groups().data() + c / 16 * kernels::GroupBytes(kDims);
    const float scale = kernels::LoadVector(group, c % 16, codes);
    double square = 0;
    for (const std::int8_t code : codes) square += std::pow(static_cast<double>(code) * scale, 2);
    EXPECT_NEAR(std::sqrt(square), 1, 0.02) << c;
  }
}

TEST(CentroidTrainerTest, TheSameForAnyNumberOfThreads) {
  std::vector<std::vector<std::uint8_t>> results;
  for (const int threads : {1, 4}) {
    CentroidTrainer trainer(kDims);
    trainer.Add(Clustered(777));
    const auto centroids = trainer.Train(Training(threads), {});
    results.emplace_back(centroids->groups().begin(), centroids->groups().end());
  }
  EXPECT_EQ(results[0], results[1]);
}

TEST(CentroidTrainerTest, ACentroidThatLosesItsVectorsTakesTheWorst) {
  // Hundreds of equal vectors and one other: centroids start from the equal ones, and all but one
  // of them lose everything.
  const auto directions = RandomVectors(2, kDims, 5);
  std::vector<float> vectors;
  for (std::size_t i = 0; i < 400; ++i) {
    const auto one = std::span(directions).subspan(i == 399 ? kDims : 0, kDims);
    vectors.insert(vectors.end(), one.begin(), one.end());
  }
  CentroidTrainer trainer(kDims);
  trainer.Add(vectors);
  const auto centroids = trainer.Train(Training(), {});
  ASSERT_TRUE(centroids.ok());
  const auto matches = Nearest(*centroids, directions);
  EXPECT_NE(matches[0].centroid, matches[1].centroid);
  for (std::size_t i = 0; i < 2; ++i) {
    double square = 0;
    for (std::size_t d = 0; d < kDims; ++d) square += std::pow(directions[i * kDims + d], 2);
    EXPECT_GT(matches[i].similarity, 0.95 * std::sqrt(square));
  }
}

TEST(CentroidTrainerTest, ZeroVectorsAreLeftOutAndTooFewRefused) {
  CentroidTrainer trainer(kDims);
  trainer.Add(std::vector<float>(kDims * 5, 0.0F));
  EXPECT_EQ(trainer.size(), 0U);
  trainer.Add(Clustered(kClusters - 1));
  EXPECT_EQ(trainer.Train(Training(), {}).status().code(), base::StatusCode::kFailedPrecondition);
  trainer.Add(Clustered(1));
  EXPECT_TRUE(trainer.Train(Training(), {}).ok());
  const base::CancelToken cancel;
  cancel.Cancel();
  EXPECT_EQ(trainer.Train(Training(), cancel).status().code(), base::StatusCode::kCancelled);
}

}  // namespace
}  // namespace sightline::index
