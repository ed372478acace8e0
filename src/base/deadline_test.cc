#include "base/deadline.h"

#include <gtest/gtest.h>

namespace sightline::base {
namespace {

using std::chrono::seconds;

TEST(CancelTokenTest, TheDeadlinePassesWithItsClock) {
  FakeClock clock;
  const CancelToken token = CancelToken::After(seconds(5), clock);
  EXPECT_TRUE(token.Check().ok());
  EXPECT_EQ(token.remaining(), seconds(5));
  clock.Advance(seconds(5));
  EXPECT_EQ(token.Check().code(), StatusCode::kDeadlineExceeded);
  EXPECT_EQ(token.remaining(), seconds(0));
  EXPECT_FALSE(token.IsCancelled());
  EXPECT_TRUE(CancelToken().Check().ok());
}

TEST(CancelTokenTest, TheEarlierDeadlineWins) {
  FakeClock clock;
  const CancelToken token = CancelToken::After(seconds(5), clock);
  EXPECT_EQ(token.WithDeadline(clock.Now() + seconds(1), clock).remaining(), seconds(1));
  EXPECT_EQ(token.WithDeadline(clock.Now() + seconds(9), clock).remaining(), seconds(5));
  EXPECT_EQ(CancelToken().WithDeadline(clock.Now() + seconds(9), clock).remaining(), seconds(9));
}

TEST(CancelTokenTest, CopiesShareOneCancellation) {
  FakeClock clock;
  const CancelToken token;
  const CancelToken copy = token.WithDeadline(clock.Now(), clock);
  EXPECT_EQ(copy.Check().code(), StatusCode::kDeadlineExceeded);
  int called = 0;
  const std::stop_callback callback(copy.stop_token(), [&] { ++called; });
  token.Cancel();
  EXPECT_EQ(copy.Check().code(), StatusCode::kCancelled);
  EXPECT_EQ(called, 1);
}

}  // namespace
}  // namespace sightline::base
