#include "retrieve/fusion.h"

#include <gtest/gtest.h>

#include "retrieve/confidence.h"

namespace sightline::retrieve {
namespace {

TEST(FuseByRankTest, BeingInBothListsBeatsBeingFirstInOne) {
  const std::vector<RankedList> lists = {{{{1, 9.0F}, {2, 8.0F}}, 1}, {{{3, 0.9F}, {2, 0.8F}}, 1}};
  const auto fused = FuseByRank(lists);
  ASSERT_EQ(fused.size(), 3U);
  EXPECT_EQ(fused[0].id, 2);
  EXPECT_FLOAT_EQ(fused[0].score, 2.0F / 62);
  // 1 and 3 are level: the smaller id goes first.
  EXPECT_EQ(fused[1].id, 1);
  EXPECT_EQ(fused[2].id, 3);
}

TEST(FuseByRankTest, WeightsCountAndEmptyListsDoNot) {
  const std::vector<RankedList> lists = {{{{1, 1.0F}}, 1}, {{{2, 1.0F}}, 2}, {{}, 5}};
  EXPECT_EQ(FuseByRank(lists)[0].id, 2);
  EXPECT_TRUE(FuseByRank({}).empty());
}

TEST(ConfidenceTest, GrowsWithTheScoreAndStaysBetweenZeroAndOne) {
  for (const Route route : {Route::kLexical, Route::kDense, Route::kLateInteraction, Route::kImage,
                            Route::kConcept, Route::kDual}) {
    double last = -1;
    for (double score = -1; score <= 1; score += 0.25) {
      const double confidence = Confidence(route, score);
      EXPECT_GT(confidence, last) << RouteName(route);
      EXPECT_GE(confidence, 0);
      EXPECT_LE(confidence, 1);
      last = confidence;
    }
  }
  EXPECT_DOUBLE_EQ(Combine(0.5, 0.5), 0.75);
}

}  // namespace
}  // namespace sightline::retrieve
