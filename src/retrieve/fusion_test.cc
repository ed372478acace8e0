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

TEST(AddLexicalSupportTest, WordsInCommonLiftAUnitByTheirShare) {
  const std::vector<store::ScoredUnit> lexical = {{2, 10}, {3, 5}, {9, 1}};
  std::vector<store::ScoredUnit> units = {{1, 0.60F}, {2, 0.50F}, {3, 0.53F}};
  AddLexicalSupport(lexical, 20, units);
  ASSERT_EQ(units.size(), 3U);
  EXPECT_EQ(units[0].id, 1);
  EXPECT_EQ(units[1].id, 2);  // .50 + .2 · 10 / 20
  EXPECT_FLOAT_EQ(units[1].score, 0.60F);
  EXPECT_EQ(units[2].id, 3);
  EXPECT_FLOAT_EQ(units[2].score, 0.58F);
}

TEST(AddLexicalSupportTest, NothingInCommonChangesNothing) {
  std::vector<store::ScoredUnit> units = {{1, 0.6F}, {2, 0.5F}};
  AddLexicalSupport({}, 0, units);
  EXPECT_EQ(units, (std::vector<store::ScoredUnit>{{1, 0.6F}, {2, 0.5F}}));
}

}  // namespace
}  // namespace sightline::retrieve
