#include "base/clock.h"

#include <gtest/gtest.h>

namespace sightline::base {
namespace {

using std::chrono::milliseconds;

TEST(ClockTest, FakeClockMovesOnlyWhenTold) {
  FakeClock clock;
  const MonotonicTime start = clock.Now();
  EXPECT_EQ(FormatRfc3339(clock.UtcNow()), "2030-01-01T00:00:00.000Z");
  clock.Advance(milliseconds(61'234));
  EXPECT_EQ(clock.Now() - start, milliseconds(61'234));
  EXPECT_EQ(FormatRfc3339(clock.UtcNow()), "2030-01-01T00:01:01.234Z");
}

TEST(ClockTest, SystemClockIsMonotonic) {
  const MonotonicTime first = SystemClock().Now();
  EXPECT_GE(SystemClock().Now(), first);
}

TEST(ClockTest, TimesBefore1970RoundDown) {
  EXPECT_EQ(FormatRfc3339(FromUnixMillis(-1)), "1969-12-31T23:59:59.999Z");
  EXPECT_EQ(UnixMillis(UtcTime(std::chrono::microseconds(-1))), -1);
}

TEST(ClockTest, Rfc3339GoesThereAndBack) {
  for (const char* text :
       {"2024-02-29T23:59:59.999Z", "1970-01-01T00:00:00.000Z", "2026-11-29T08:01:02.003Z"}) {
    EXPECT_EQ(FormatRfc3339(*ParseRfc3339(text)), text);
  }
  EXPECT_EQ(FormatRfc3339(*ParseRfc3339("2026-11-29t16:00:00.5+08:00")),
            "2026-11-29T08:00:00.500Z");
  EXPECT_EQ(FormatRfc3339(*ParseRfc3339("2026-11-29T00:00:00-00:30")), "2026-11-29T00:30:00.000Z");
}

TEST(ClockTest, MalformedTimesAreRefused) {
  for (const char* text :
       {"", "2026", "2026-11-29", "2026-02-30T00:00:00Z", "2026-13-01T00:00:00Z",
        "2026-11-29T24:00:00Z", "2026-11-29T00:00:00", "2026-11-29T00:00:00.Z",
        "2026-11-29T00:00:00Zx", "2026-11-29T00:00:00+8:00", "9999-01-01T00:00:00Z", "二〇二六"}) {
    EXPECT_EQ(ParseRfc3339(text).status().code(), StatusCode::kInvalidArgument) << text;
  }
}

}  // namespace
}  // namespace sightline::base
