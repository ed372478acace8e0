#include "base/ulid.h"

#include <gtest/gtest.h>

namespace sightline::base {
namespace {

TEST(UlidTest, TextGoesThereAndBack) {
  const Ulid id{0x0123456789ABCDEF, 0xFEDCBA9876543210};
  EXPECT_EQ(id.ToString().size(), Ulid::kTextSize);
  EXPECT_EQ(*Ulid::Parse(id.ToString()), id);
  const Ulid largest{~uint64_t{0}, ~uint64_t{0}};
  EXPECT_EQ(largest.ToString(), "7ZZZZZZZZZZZZZZZZZZZZZZZZZ");
  EXPECT_EQ(*Ulid::Parse("7zzzzzzzzzzzzzzzzzzzzzzzzz"), largest);
  EXPECT_EQ(Ulid::Parse("0000000000000000000000000O")->low, 0U);
  EXPECT_EQ(Ulid::Parse("0000000000000000000000000l")->low, 1U);
}

TEST(UlidTest, TheTimeOfThePublishedExample) {
  EXPECT_EQ(Ulid::Parse("01ARZ3NDEKTSV4RRFFQ69G5FAV")->unix_ms(), 1'469'922'850'259);
}

TEST(UlidTest, OtherTextsAreRefused) {
  for (const char* text : {"", "01ARZ3NDEKTSV4RRFFQ69G5FA", "01ARZ3NDEKTSV4RRFFQ69G5FAVV",
                           "81ARZ3NDEKTSV4RRFFQ69G5FAV", "01ARZ3NDEKTSV4RRFFQ69G5FAU",
                           "../../../../../etc/passwd1", "视线视线视线视线视"}) {
    EXPECT_EQ(Ulid::Parse(text).status().code(), StatusCode::kInvalidArgument) << text;
  }
}

TEST(UlidTest, IdsGrowInsideAMillisecondAndWhenTheClockGoesBack) {
  FakeClock clock;
  SeededRandom random(7);
  UlidGenerator generator(clock, random);
  Ulid last = generator.Next();
  EXPECT_EQ(last.unix_ms(), UnixMillis(clock.UtcNow()));
  for (int i = 0; i < 1000; ++i) {
    if (i == 300) clock.Advance(std::chrono::milliseconds(2));
    if (i == 600) clock.Advance(std::chrono::milliseconds(-500));
    const Ulid next = generator.Next();
    EXPECT_LT(last, next);
    EXPECT_LT(last.ToString(), next.ToString());
    last = next;
  }
}

}  // namespace
}  // namespace sightline::base
