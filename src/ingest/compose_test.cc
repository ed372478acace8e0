#include "ingest/compose.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace sightline::ingest {
namespace {

using media::BlockKind;
using media::Box;
using ::testing::HasSubstr;

std::size_t CountWords(std::string_view text) {
  return text.empty() ? 0 : static_cast<std::size_t>(std::count(text.begin(), text.end(), ' ')) + 1;
}

std::string Words(int count) {
  std::string text = "word";
  for (int i = 1; i < count; ++i) text += " word";
  return text;
}

media::LayoutBlock Block(BlockKind kind, const Box& box, const std::vector<std::string>& lines) {
  media::LayoutBlock block{kind, box, {}};
  double y = box.y;
  for (const std::string& line : lines) {
    block.lines.push_back({line, {box.x, y, box.width, 10}});
    y += 12;
  }
  return block;
}

media::DecodedPage Page(std::vector<media::LayoutBlock> blocks) {
  media::DecodedPage page;
  page.page_number = 4;
  page.label = "iv";
  page.width_pt = 600;
  page.height_pt = 800;
  page.blocks = std::move(blocks);
  page.pixels_per_point = 1;
  page.render = {600, 800, std::vector<std::uint8_t>(600 * 800 * 3, 255)};
  return page;
}

TEST(ComposePageTest, RegionsHangOnThePageAndKeepTheirBoxes) {
  const auto drafts =
      ComposePage(Page({Block(BlockKind::kHeading, {50, 50, 200, 12}, {"Reading a cylinder"}),
                        Block(BlockKind::kParagraph, {50, 70, 400, 22},
                              {"Keep the eye level", "with the meniscus."})}),
                  CountWords);
  ASSERT_EQ(drafts.size(), 2U);
  EXPECT_EQ(drafts[0].unit.kind, store::UnitKind::kPage);
  EXPECT_EQ(drafts[0].unit.locator.page, 4);
  EXPECT_EQ(drafts[0].unit.locator.page_label, "iv");
  EXPECT_FALSE(drafts[0].index_text);
  EXPECT_EQ(drafts[0].picture.width, 600);
  EXPECT_EQ(drafts[1].parent, 0);
  EXPECT_EQ(drafts[1].unit.text, "Reading a cylinder\nKeep the eye level with the meniscus.");
  EXPECT_EQ(drafts[1].unit.locator.box, (Box{50, 50, 400, 42}));
  EXPECT_TRUE(drafts[1].index_text);
}

TEST(ComposePageTest, TheLastWordOfABlockAndTheFirstOfTheNextStayApart) {
  const auto drafts =
      ComposePage(Page({Block(BlockKind::kHeading, {50, 50, 200, 12}, {"正确读数"}),
                        Block(BlockKind::kParagraph, {50, 70, 400, 22},
                              {"量筒必须放平，视线与", "凹液面相平。"}),
                        Block(BlockKind::kFigure, {50, 120, 300, 200}, {"刻度"}),
                        Block(BlockKind::kCaption, {50, 325, 300, 12}, {"图 3：凹液面"})}),
                  CountWords);
  ASSERT_EQ(drafts.size(), 3U);
  EXPECT_EQ(drafts[0].unit.text, "正确读数\n量筒必须放平，视线与凹液面相平。\n刻度\n图 3：凹液面");
  EXPECT_EQ(drafts[1].unit.text, "图 3：凹液面\n刻度");
  EXPECT_EQ(drafts[2].unit.text, "正确读数\n量筒必须放平，视线与凹液面相平。");
}

TEST(ComposePageTest, NoRegionIsLongerThanThePassageBudget) {
  const auto drafts = ComposePage(
      Page({Block(BlockKind::kParagraph, {50, 50, 400, 100}, {Words(100), Words(100), Words(100)}),
            Block(BlockKind::kParagraph, {50, 200, 400, 10}, {Words(100)}),
            Block(BlockKind::kParagraph, {50, 300, 400, 10}, {Words(100)})}),
      CountWords);
  ASSERT_EQ(drafts.size(), 6U);
  std::size_t words = 0;
  for (std::size_t i = 1; i < drafts.size(); ++i) {
    EXPECT_LE(CountWords(drafts[i].unit.text), kPassageTokens);
    words += CountWords(drafts[i].unit.text);
  }
  EXPECT_EQ(words, 500U);
}

TEST(ComposePageTest, FigureTakesTheNearestCaptionAndACrop) {
  const auto drafts =
      ComposePage(Page({Block(BlockKind::kCaption, {50, 20, 300, 12}, {"Table 1: far away"}),
                        Block(BlockKind::kFigure, {100, 100, 300, 200}, {}),
                        Block(BlockKind::kCaption, {100, 310, 300, 12}, {"图 3：各地区营收"})}),
                  CountWords);
  ASSERT_EQ(drafts.size(), 3U);
  EXPECT_EQ(drafts[1].unit.block, BlockKind::kFigure);
  EXPECT_EQ(drafts[1].unit.text, "图 3：各地区营收");
  EXPECT_EQ(drafts[1].unit.language, text::Language::kChinese);
  EXPECT_EQ(drafts[1].unit.locator.box, (Box{100, 100, 300, 222}));
  EXPECT_EQ(drafts[1].picture.width, 300);
  EXPECT_EQ(drafts[1].picture.height, 222);
  EXPECT_THAT(drafts[2].unit.text, HasSubstr("Table 1"));
}

TEST(ComposePageTest, TableStandsAlone) {
  const auto drafts =
      ComposePage(Page({Block(BlockKind::kParagraph, {50, 50, 400, 10}, {"before"}),
                        Block(BlockKind::kTable, {50, 70, 400, 10}, {"cell"}),
                        Block(BlockKind::kParagraph, {50, 90, 400, 10}, {"after"})}),
                  CountWords);
  ASSERT_EQ(drafts.size(), 4U);
  EXPECT_EQ(drafts[2].unit.text, "cell");
  EXPECT_EQ(drafts[2].unit.block, BlockKind::kTable);
}

TEST(BlocksFromOcrTest, LinesUnderEachOtherJoinAndScaleToPoints) {
  const std::vector<model::OcrLine> lines = {{"first", {100, 100, 400, 40}, 0.9F},
                                             {"second", {100, 150, 380, 40}, 0.9F},
                                             {"footer", {100, 900, 200, 40}, 0.9F}};
  const auto blocks = BlocksFromOcr(lines, 2);
  ASSERT_EQ(blocks.size(), 2U);
  EXPECT_EQ(blocks[0].lines.size(), 2U);
  EXPECT_EQ(blocks[0].box, (Box{50, 50, 200, 45}));
  EXPECT_EQ(blocks[1].lines[0].text, "footer");
}

TEST(ComposeCuesTest, PassagesEndAtPausesAndSentences) {
  const std::vector<Cue> cues = {{0, 4'000, "Fill the cylinder"},
                                 {4'000, 9'000, "up to the mark."},
                                 {9'000, 12'000, "Now wait."},
                                 {20'000, 22'000, "然后读数。"}};
  const auto drafts = ComposeCues(cues, media::TextSource::kSpeech);
  ASSERT_EQ(drafts.size(), 3U);
  EXPECT_EQ(drafts[0].unit.text, "Fill the cylinder up to the mark.");
  EXPECT_EQ(drafts[0].unit.locator.start_ms, 0);
  EXPECT_EQ(drafts[0].unit.locator.end_ms, 9'000);
  EXPECT_EQ(drafts[1].unit.locator.start_ms, 9'000);
  EXPECT_EQ(drafts[2].unit.language, text::Language::kChinese);
}

TEST(ComposeCuesTest, NoPassageIsLongerThanFifteenSecondsWithoutASingleCueThatIs) {
  std::vector<Cue> cues;
  for (int i = 0; i < 60; ++i) cues.push_back({i * 1'000, (i + 1) * 1'000, "and so on"});
  for (const UnitDraft& draft : ComposeCues(cues, media::TextSource::kSubtitle)) {
    EXPECT_LE(draft.unit.locator.end_ms - draft.unit.locator.start_ms, 15'000);
  }
}

TEST(ComposePictureTest, TextInAPictureBecomesRegionsWithPixelBoxes) {
  media::DecodedFrame frame;
  frame.image = {400, 300, std::vector<std::uint8_t>(400 * 300 * 3, 128)};
  const std::vector<model::OcrLine> lines = {{"EXIT 出口", {20, 30, 100, 40}, 0.95F}};
  const auto drafts = ComposePicture(std::move(frame), lines, CountWords);
  ASSERT_EQ(drafts.size(), 2U);
  EXPECT_EQ(drafts[0].unit.kind, store::UnitKind::kImage);
  EXPECT_TRUE(drafts[0].concepts);
  EXPECT_EQ(drafts[0].unit.locator.page_width, 400);
  EXPECT_EQ(drafts[1].unit.locator.box, (Box{20, 30, 100, 40}));
  EXPECT_EQ(drafts[1].unit.source, media::TextSource::kOcr);
}

}  // namespace
}  // namespace sightline::ingest
