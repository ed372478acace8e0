#include "model/line_image.h"

#include <gtest/gtest.h>

namespace sightline::model {
namespace {

/// White with black columns where `ink` says so.
template <typename Ink>
media::Image Strip(int width, int height, Ink ink) {
  media::Image image{width, height, {}};
  for (int y = 0; y < height; ++y) {
    for (int x = 0; x < width; ++x) {
      // A line of text has ink and paper in each column that is written on.
      const std::uint8_t value = ink(x) && y % 2 == 0 ? 0 : 255;
      image.pixels.insert(image.pixels.end(), 3, value);
    }
  }
  return image;
}

TEST(LineImageTest, UndoTurnIsTheInverseOfTurnImage) {
  media::Image image = Strip(5, 3, [](int) { return false; });
  image.pixels[(1 * 5 + 4) * 3] = 7;  // pixel (4, 1)
  for (const Turn turn : {Turn::kClockwise90, Turn::kHalf, Turn::kCounterClockwise90}) {
    const media::Image turned = TurnImage(image, turn);
    int at_x = -1;
    int at_y = -1;
    for (int y = 0; y < turned.height; ++y) {
      for (int x = 0; x < turned.width; ++x) {
        if (turned.pixels[static_cast<std::size_t>(y * turned.width + x) * 3] != 7) continue;
        at_x = x;
        at_y = y;
      }
    }
    Quad pixel;
    pixel.corners = {Point{at_x + .0, at_y + .0}, Point{at_x + 1., at_y + .0},
                     Point{at_x + 1., at_y + 1.}, Point{at_x + .0, at_y + 1.}};
    const media::Box box = UndoTurn(pixel, turn, 5, 3).Hull();
    EXPECT_EQ(box, (media::Box{4, 1, 1, 1}));
  }
}

TEST(LineImageTest, ALongLineIsCutWhereNothingIsWritten) {
  // Ink everywhere but in columns 430 … 459.
  const media::Image line = Strip(1000, 48, [](int x) { return x < 430 || x >= 460; });
  const auto parts = ScaleAndSplitLine(line, 48, 500);
  ASSERT_TRUE(parts.ok());
  ASSERT_GE(parts->size(), 2U);
  EXPECT_NEAR((*parts)[0].image.width, 445, 2);
  EXPECT_FALSE((*parts)[0].space_before);
  EXPECT_TRUE((*parts)[1].space_before);
  int width = 0;
  for (const LinePart& part : *parts) {
    EXPECT_LE(part.image.width, 500);
    EXPECT_EQ(part.image.height, 48);
    width += part.image.width;
  }
  EXPECT_EQ(width, 1000);
}

TEST(LineImageTest, AnAbsurdAspectRatioStaysBounded) {
  const auto parts = ScaleAndSplitLine(Strip(60'000, 1, [](int) { return false; }), 48, 1280);
  ASSERT_TRUE(parts.ok());
  EXPECT_LE(parts->size(), 30U);
}

TEST(LineImageTest, AnUprightQuadBecomesALine) {
  const media::Image image = Strip(100, 200, [](int x) { return x < 50; });
  const auto crop =
      CropQuad(image, {{Point{10, 10}, Point{30, 10}, Point{30, 110}, Point{10, 110}}});
  ASSERT_TRUE(crop.ok());
  EXPECT_EQ(crop->width, 100);
  EXPECT_EQ(crop->height, 20);
}

}  // namespace
}  // namespace sightline::model
