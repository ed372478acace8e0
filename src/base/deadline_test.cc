#include "base/deadline.h"

#include <gtest/gtest.h>

namespace sightline::base {
namespace {

using std::chrono::seconds;

TEST(DeadlineTest, PassesWithItsClock) {
  FakeClock clock;
  const Deadline deadline = Deadline::After(seconds(5), clock);
  EXPECT_FALSE(deadline.expired());
  EXPECT_EQ(deadline.remaining(), seconds(5));
  clock.Advance(seconds(5));
  EXPECT_TRUE(deadline.expired());
  EXPECT_EQ(deadline.remaining(), seconds(0));
  EXPECT_FALSE(Deadline().expired());
}

TEST(DeadlineTest, TheEarlierOneWins) {
  FakeClock clock;
  const Deadline soon = Deadline::After(seconds(1), clock);
  const Deadline late = Deadline::After(seconds(9), clock);
  EXPECT_EQ(Deadline::Earlier(late, soon).remaining(), seconds(1));
  EXPECT_EQ(Deadline::Earlier(Deadline(), late).remaining(), seconds(9));
  EXPECT_TRUE(Deadline::Earlier(Deadline(), Deadline()).infinite());
}

TEST(CancelTokenTest, SaysWhyWorkShouldStop) {
  FakeClock clock;
  CancelSource source;
  const CancelToken token = source.token(Deadline::After(seconds(3), clock));
  EXPECT_TRUE(token.Check().ok());
  EXPECT_EQ(token.WithDeadline(Deadline::After(seconds(1), clock)).deadline().remaining(),
            seconds(1));
  clock.Advance(seconds(3));
  EXPECT_EQ(token.Check().code(), StatusCode::kDeadlineExceeded);
  source.Cancel();
  EXPECT_EQ(token.Check().code(), StatusCode::kCancelled);
  EXPECT_TRUE(CancelToken().Check().ok());
}

}  // namespace
}  // namespace sightline::base
