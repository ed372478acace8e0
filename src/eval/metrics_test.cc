#include "eval/metrics.h"

#include <gtest/gtest.h>

#include <cmath>

namespace sightline::eval {
namespace {

TEST(MetricsTest, RankOfTheFirstRelevantResultCounts) {
  const RankedRelevance third{{false, false, true, true}, 2};
  EXPECT_EQ(RecallAt(third, 1), 0);
  EXPECT_EQ(RecallAt(third, 5), 1);
  EXPECT_DOUBLE_EQ(ReciprocalRank(third), 1.0 / 3);
  const double ideal = 1 + 1 / std::log2(3.0);
  EXPECT_DOUBLE_EQ(NdcgAt(third, 5), (1 / std::log2(4.0) + 1 / std::log2(5.0)) / ideal);
}

TEST(MetricsTest, ARankBelowTheDepthCountsNothing) {
  RankedRelevance eleventh;
  eleventh.relevant.assign(11, false);
  eleventh.relevant[10] = true;
  EXPECT_EQ(ReciprocalRank(eleventh), 0);
  EXPECT_EQ(NdcgAt(eleventh, 5), 0);
}

TEST(MetricsTest, SummaryIsTheMean) {
  const std::vector<RankedRelevance> questions = {{{true}, 1}, {{false, true}, 1}, {{}, 1}};
  const MetricSummary summary = Summarize(questions);
  EXPECT_EQ(summary.questions, 3U);
  EXPECT_DOUBLE_EQ(summary.mrr_at_10, 0.5);
  EXPECT_DOUBLE_EQ(summary.recall_at_1, 1.0 / 3);
  EXPECT_EQ(Summarize({}).questions, 0U);
}

}  // namespace
}  // namespace sightline::eval
