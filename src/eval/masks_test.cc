// What a set's masks take out of a page before it is read.
#include <gtest/gtest.h>

#include <cstddef>
#include <string>
#include <vector>

#include "eval/corpus.h"

namespace sightline::eval {
namespace {

using media::Box;

constexpr int kPage = 3;
constexpr std::uint8_t kInk = 7;

media::TextLine Line(const std::string& text, const Box& box) {
  media::TextLine line;
  line.text = text;
  line.box = box;
  return line;
}

/// 100 by 100 points at two pixels a point, all ink: a caption of two lines, a paragraph, a figure
/// without text.
media::DecodedPage InkedPage() {
  media::DecodedPage page;
  page.page_number = kPage;
  page.pixels_per_point = 2;
  page.render = {200, 200, std::vector<std::uint8_t>(std::size_t{200} * 200 * 3, kInk)};
  media::LayoutBlock caption;
  caption.lines = {Line("Figure 1: a pump", {10, 10, 80, 10}), Line("图1：水泵", {10, 20, 80, 10})};
  media::LayoutBlock paragraph;
  paragraph.lines = {Line("half under the mask", {10, 28, 80, 10}), Line("正文", {10, 60, 80, 10})};
  media::LayoutBlock figure;
  figure.kind = media::BlockKind::kFigure;
  figure.box = {10, 70, 80, 20};
  page.blocks = {caption, paragraph, figure};
  return page;
}

std::vector<std::string> Texts(const media::DecodedPage& page) {
  std::vector<std::string> texts;
  for (const media::LayoutBlock& block : page.blocks) {
    for (const media::TextLine& line : block.lines) texts.push_back(line.text);
  }
  return texts;
}

bool IsWhite(const media::DecodedPage& page, int x, int y) {
  const std::size_t at =
      (static_cast<std::size_t>(y) * static_cast<std::size_t>(page.render.width) +
       static_cast<std::size_t>(x)) *
      3;
  const auto& pixels = page.render.pixels;
  return pixels[at] == 255 && pixels[at + 1] == 255 && pixels[at + 2] == 255;
}

TEST(MasksTest, LinesAndPixelsUnderAMaskAreGoneAndOthersStay) {
  media::DecodedPage page = InkedPage();
  ApplyMasks({{kPage, {10, 10, 80, 22}}}, page);
  EXPECT_EQ(Texts(page), (std::vector<std::string>{"half under the mask", "正文"}));
  ASSERT_EQ(page.blocks.size(), 2U) << "a block without lines is gone, a figure is none";
  EXPECT_EQ(page.blocks[1].kind, media::BlockKind::kFigure);
  // Points 10..90 by 10..32 are pixels 20..180 by 20..64.
  for (int y = 0; y < 200; ++y) {
    for (int x = 0; x < 200; ++x) {
      const bool under = x >= 20 && x < 180 && y >= 20 && y < 64;
      ASSERT_EQ(IsWhite(page, x, y), under) << x << " " << y;
    }
  }
}

TEST(MasksTest, MasksOfOtherPagesTouchNothing) {
  media::DecodedPage page = InkedPage();
  ApplyMasks({{kPage + 1, {0, 0, 100, 100}}}, page);
  EXPECT_EQ(Texts(page), Texts(InkedPage()));
  EXPECT_EQ(page.render.pixels, InkedPage().render.pixels);
}

TEST(MasksTest, AMaskOverTheEdgeEndsAtTheEdge) {
  media::DecodedPage page = InkedPage();
  ApplyMasks({{kPage, {-50, 55, 1000, 1000}}}, page);
  EXPECT_EQ(Texts(page),
            (std::vector<std::string>{"Figure 1: a pump", "图1：水泵", "half under the mask"}));
  EXPECT_FALSE(IsWhite(page, 199, 109));
  EXPECT_TRUE(IsWhite(page, 0, 110));
  EXPECT_TRUE(IsWhite(page, 199, 199));
}

TEST(MasksTest, APageWithoutARenderLosesItsLines) {
  media::DecodedPage page = InkedPage();
  page.render = {};
  ApplyMasks({{kPage, {0, 0, 100, 40}}}, page);
  EXPECT_EQ(Texts(page), (std::vector<std::string>{"正文"}));
}

}  // namespace
}  // namespace sightline::eval
