#include "index/list_probe.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <numeric>

#include "index/segment_fixture.h"
#include "kernels/dispatch.h"

namespace sightline::index {
namespace {

constexpr std::size_t kDims = 12;

TEST(ListProbeTest, TheNearestListsAreProbedAndGainWhatTheNextOneLacks) {
  for (const std::size_t lists : {16U, 64U, 512U}) {
    const Centroids centroids(RandomVectors(lists, kDims, 1), kDims);
    const auto vectors = RandomVectors(5, kDims, 2);
    const std::span<const float> query = vectors;
    const kernels::QueryBatch batch(std::span(&query, 1), kDims, kernels::Kernels());
    std::vector<float> scores(5 * lists);
    centroids.Scores(batch, scores);
    for (const std::size_t probes : {1U, 3U, 15U, 16U, 40U, 600U}) {
      const ListProbe probe(centroids, batch, probes);
      ASSERT_EQ(probe.rows(), 5U);
      for (std::size_t row = 0; row < 5; ++row) {
        const auto of_row = std::span(scores).subspan(row * lists, lists);
        std::vector<std::uint32_t> order(lists);
        std::iota(order.begin(), order.end(), 0U);
        std::ranges::stable_sort(order, std::greater<>(),
                                 [&](std::uint32_t c) { return of_row[c]; });
        const std::size_t expected = std::min(probes, lists);
        const float next = of_row[order[std::min(probes, lists - 1)]];
        ASSERT_EQ(probe.row(row).size(), expected);
        for (std::size_t i = 0; i < expected; ++i) {
          EXPECT_EQ(probe.row(row)[i].list, order[i]);
          EXPECT_EQ(probe.row(row)[i].gain, of_row[order[i]] - next);
        }
      }
    }
  }
}

TEST(ListProbeTest, OfEqualListsTheFirstIsProbed) {
  std::vector<float> vectors;
  for (int c = 0; c < 32; ++c) vectors.insert(vectors.end(), kDims, 1.0F);
  const Centroids centroids(vectors, kDims);
  const std::vector<float> one(kDims, 0.5F);
  const std::span<const float> query = one;
  const ListProbe probe(centroids, {std::span(&query, 1), kDims, kernels::Kernels()}, 3);
  ASSERT_EQ(probe.row(0).size(), 3U);
  for (std::uint32_t i = 0; i < 3; ++i) {
    EXPECT_EQ(probe.row(0)[i].list, i);
    EXPECT_EQ(probe.row(0)[i].gain, 0);
  }
}

}  // namespace
}  // namespace sightline::index
