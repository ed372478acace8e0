#include "media/decoder/subtitle_track.h"

#include <gtest/gtest.h>

namespace sightline::media {
namespace {

TEST(SubtitleTextTest, StylesAreTakenOff) {
  EXPECT_EQ(SubtitleText("{\\an8}{\\i1}Hello{\\i0}\\Nworld"), "Hello\nworld");
  EXPECT_EQ(SubtitleText("<i>先加热</i>，再 <b>搅拌</b>"), "先加热，再 搅拌");
}

TEST(SubtitleTextTest, ComparisonsAreNoTags) { EXPECT_EQ(SubtitleText("a < b > c"), "a < b > c"); }

TEST(SubtitleTextTest, SpacesAndEmptyLinesCollapse) {
  EXPECT_EQ(SubtitleText("  a \t b \\N\\N  c\\h "), "a b\nc");
  EXPECT_EQ(SubtitleText("{\\p1}"), "");
}

TEST(SubtitleTextTest, BrokenBytesBecomeReplacement) {
  EXPECT_EQ(SubtitleText("a\xFF"), "a\uFFFD");
  EXPECT_EQ(SubtitleText("{open"), "");
}

}  // namespace
}  // namespace sightline::media
