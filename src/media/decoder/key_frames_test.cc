#include "media/decoder/key_frames.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <functional>
#include <vector>

namespace sightline::media {
namespace {

using testing::ElementsAre;

using Grey = std::vector<std::uint8_t>;

/// A picture with structure that flow can follow: blobs, shifted by `dx`.
Grey Scene(int dx, int seed = 1) {
  Grey grey(static_cast<std::size_t>(kGreyWidth) * kGreyHeight);
  for (int y = 0; y < kGreyHeight; ++y) {
    for (int x = 0; x < kGreyWidth; ++x) {
      const int u = x + dx + 37 * seed;
      const int v = y + 11 * seed;
      const bool dark = ((u / 24) * 7 + (v / 20) * 13 + seed * (u / 24) * (v / 20)) % 5 < 2;
      grey[static_cast<std::size_t>(y) * kGreyWidth + static_cast<std::size_t>(x)] =
          dark ? 40 : 200;
    }
  }
  return grey;
}

struct Chosen {
  std::vector<std::int64_t> times;
  std::vector<KeyFrame> keys;
};

/// Plays 25 frames a second for `duration_ms`.
Chosen Play(std::int64_t duration_ms, const std::function<Grey(std::int64_t)>& picture) {
  KeyFrameSelector selector;
  Chosen chosen;
  for (std::int64_t ms = 0; ms < duration_ms; ms += 40) {
    if (!selector.WantsToSee(ms)) continue;
    const auto key = selector.Look(picture(ms), ms);
    if (!key) continue;
    chosen.times.push_back(ms);
    chosen.keys.push_back(*key);
  }
  return chosen;
}

TEST(KeyFramesTest, AStillPictureGivesOneFrame) {
  const Grey still = Scene(0);
  EXPECT_THAT(Play(600'000, [&](std::int64_t) { return still; }).times, ElementsAre(0));
}

TEST(KeyFramesTest, NoiseIsNoChange) {
  const Grey still = Scene(0);
  std::uint32_t state = 7;
  const auto noisy = [&](std::int64_t) {
    Grey grey = still;
    for (std::uint8_t& pixel : grey) {
      state = state * 1664525 + 1013904223;
      pixel = static_cast<std::uint8_t>(pixel + static_cast<int>(state >> 28U) - 8);
    }
    return grey;
  };
  EXPECT_THAT(Play(20'000, noisy).times, ElementsAre(0));
}

TEST(KeyFramesTest, MotionGivesFramesAtTheSmallestGap) {
  // Six pixels in half a second are over the threshold at once.
  const Chosen chosen =
      Play(3'000, [](std::int64_t ms) { return Scene(static_cast<int>(ms / 80)); });
  ASSERT_GE(chosen.times.size(), 4U);
  for (std::size_t i = 1; i < chosen.times.size(); ++i) {
    EXPECT_GE(chosen.times[i] - chosen.times[i - 1], 500);
    EXPECT_GE(chosen.keys[i].motion_px, 2.5);
    EXPECT_FALSE(chosen.keys[i].is_cut);
  }
}

TEST(KeyFramesTest, SlowMotionIsForcedAfterTheLargestGap) {
  // A pixel in a second: never 2.5 between the forced frames.
  const Chosen chosen =
      Play(8'000, [](std::int64_t ms) { return Scene(static_cast<int>(ms / 1000)); });
  ASSERT_GE(chosen.times.size(), 3U);
  for (std::size_t i = 1; i < chosen.times.size(); ++i) {
    EXPECT_GE(chosen.times[i] - chosen.times[i - 1], 1'500);
    EXPECT_LT(chosen.keys[i].motion_px, 2.5);
  }
}

TEST(KeyFramesTest, ACutIsFlaggedWhereItIs) {
  const Grey first = Scene(0, 1);
  Grey second(first.size(), 250);
  const Chosen chosen = Play(6'000, [&](std::int64_t ms) { return ms < 3'000 ? first : second; });
  ASSERT_EQ(chosen.times.size(), 2U);
  EXPECT_TRUE(chosen.keys[1].is_cut);
  EXPECT_NEAR(static_cast<double>(chosen.keys[1].cut_ms), 3'000, 130);
  EXPECT_EQ(chosen.times[1], chosen.keys[1].cut_ms);
}

TEST(KeyFramesTest, AChangeOfWhiteSlidesIsACut) {
  // Words of different letters and lengths at different places on white.
  const auto slide = [](std::uint32_t state) {
    Grey grey(static_cast<std::size_t>(kGreyWidth) * kGreyHeight, 255);
    for (int word = 0; word < 14; ++word) {
      const auto next = [&state](std::uint32_t below) {
        state = state * 1664525 + 1013904223;
        return static_cast<int>((state >> 16U) % below);
      };
      const int left = next(240);
      const int top = next(210);
      const int width = 30 + next(50);
      for (int y = top; y < top + 14; ++y) {
        for (int x = left; x < std::min(left + width, kGreyWidth); ++x) {
          if ((x / 3 * (word + 3) + y / 4 * 5) % 7 < 3) continue;
          grey[static_cast<std::size_t>(y) * kGreyWidth + static_cast<std::size_t>(x)] = 30;
        }
      }
    }
    return grey;
  };
  const Grey first = slide(1);
  const Grey second = slide(99);
  const Chosen chosen = Play(4'000, [&](std::int64_t ms) { return ms < 2'000 ? first : second; });
  ASSERT_EQ(chosen.times.size(), 2U);
  EXPECT_TRUE(chosen.keys[1].is_cut);
}

TEST(KeyFramesTest, ANewLineOnASlideGivesAFrame) {
  const Grey slide(static_cast<std::size_t>(kGreyWidth) * kGreyHeight, 255);
  Grey next = slide;
  for (int y = 100; y < 112; ++y) {
    for (int x = 40; x < 200; ++x) {
      if (x % 3 != 0)
        next[static_cast<std::size_t>(y) * kGreyWidth + static_cast<std::size_t>(x)] = 20;
    }
  }
  const Chosen chosen = Play(10'000, [&](std::int64_t ms) { return ms < 5'000 ? slide : next; });
  ASSERT_EQ(chosen.times.size(), 2U);
  EXPECT_GE(chosen.times[1], 5'000);
  EXPECT_LE(chosen.times[1], 5'200);
}

TEST(KeyFramesTest, FramesBetweenLooksAreNotWanted) {
  KeyFrameSelector selector;
  EXPECT_TRUE(selector.WantsToSee(0));
  EXPECT_TRUE(selector.Look(Scene(0), 0).has_value());
  EXPECT_FALSE(selector.WantsToSee(100));
  EXPECT_TRUE(selector.WantsToSee(125));
}

}  // namespace
}  // namespace sightline::media
