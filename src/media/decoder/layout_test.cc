#include "media/decoder/layout.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/utf8.h"
#include "media/decoder/text_runs.h"
#include "media/join_lines.h"

namespace sightline::media {
namespace {

using testing::ElementsAre;

constexpr double kWidth = 600;
constexpr double kHeight = 800;

struct Style {
  double size = 10;
  bool bold = false;
  TextDirection direction = TextDirection::kRight;
};

/// A page on which text is typed: every Latin character half as wide as high, Chinese ones square.
class TypedPage {
 public:
  TypedPage() {
    content_.width = kWidth;
    content_.height = kHeight;
  }

  TypedPage& Type(double x, double y, std::string_view text, Style style = {}) {
    bool space = true;
    for (const char32_t code : base::Utf8View(text)) {
      const double width = style.size * (IsCjk(code) ? 1.0 : 0.5);
      if (code == U' ') {
        space = true;
      } else {
        PageChar c;
        c.code = code;
        // Typed in the reading frame; on the page it stands turned.
        c.box = FromReadingFrame({x, y, width, style.size}, style.direction, kWidth, kHeight);
        c.font_size = style.size;
        c.bold = style.bold;
        c.space_before = space;
        c.direction = style.direction;
        content_.chars.push_back(c);
        space = false;
      }
      x += width;
    }
    return *this;
  }

  TypedPage& Draw(Box box, int segments) {
    content_.graphics.push_back({GraphicKind::kPath, box, segments});
    return *this;
  }

  TypedPage& Image(Box box) {
    content_.graphics.push_back({GraphicKind::kImage, box, 0});
    return *this;
  }

  PageContent& content() { return content_; }

  std::vector<LayoutBlock> Blocks() const {
    BodySize body;
    body.Add(content_);
    return LayoutPage(content_, body);
  }

 private:
  PageContent content_;
};

/// Rows and items line by line, running text joined.
std::string TextOf(const LayoutBlock& block) {
  const bool rows = block.kind == BlockKind::kTable || block.kind == BlockKind::kList;
  if (!rows) return JoinLines(block.lines);
  std::string text;
  for (const TextLine& line : block.lines) text += (text.empty() ? "" : "\n") + line.text;
  return text;
}

/// "P:text" with the first letter of the kind.
std::vector<std::string> Told(const std::vector<LayoutBlock>& blocks) {
  std::vector<std::string> told;
  for (const LayoutBlock& block : blocks) {
    const char letter = "PHTFCLO"[static_cast<int>(block.kind)];
    std::string text(1, letter);
    text.append(":").append(TextOf(block));
    told.push_back(std::move(text));
  }
  return told;
}

std::string Numbered(std::string text, int number) {
  text.append(std::to_string(number));
  return text;
}

const char* kFull = "a line of running text that goes from edge to edge here";

TEST(LayoutTest, LinesOfAParagraphStayTogether) {
  TypedPage page;
  page.Type(50, 100, "the first line of it").Type(50, 112, "and the second one");
  page.Type(50, 160, "another paragraph here");
  EXPECT_THAT(Told(page.Blocks()),
              ElementsAre("P:the first line of it and the second one", "P:another paragraph here"));
}

TEST(LayoutTest, ChineseLinesJoinWithoutSpaces) {
  TypedPage page;
  page.Type(50, 100, "视线能够找到显示它的那一").Type(50, 113, "页或者那一刻");
  EXPECT_THAT(Told(page.Blocks()), ElementsAre("P:视线能够找到显示它的那一页或者那一刻"));
}

TEST(LayoutTest, LargerTextIsAHeading) {
  TypedPage page;
  page.Type(50, 90, "方法 Methods", {.size = 16});
  page.Type(50, 120, kFull).Type(50, 132, kFull).Type(50, 144, kFull);
  const auto blocks = page.Blocks();
  ASSERT_EQ(blocks.size(), 2U);
  EXPECT_EQ(blocks[0].kind, BlockKind::kHeading);
  EXPECT_EQ(JoinLines(blocks[0].lines), "方法 Methods");
  EXPECT_EQ(blocks[1].kind, BlockKind::kParagraph);
}

TEST(LayoutTest, ColumnsAreReadOneAfterTheOther) {
  TypedPage page;
  page.Type(50, 100, "Wide title over both of the columns of text", {.size = 18});
  // The lines are drawn across, as some programs do.
  for (int line = 0; line < 4; ++line) {
    const double y = 150 + 12 * line;
    page.Type(50, y, Numbered("left column line number ", line));
    page.Type(320, y + 1, Numbered("right column line number ", line));
  }
  EXPECT_THAT(Told(page.Blocks()),
              ElementsAre("H:Wide title over both of the columns of text",
                          "P:left column line number 0 left column line number 1 left column line "
                          "number 2 left column line number 3",
                          "P:right column line number 0 right column line number 1 right column "
                          "line number 2 right column line number 3"));
}

TEST(LayoutTest, RowsOfATableAreReadAcross) {
  TypedPage page;
  for (int row = 0; row < 4; ++row) {
    const double y = 200 + 14 * row;
    page.Type(50, y, Numbered("row ", row));
    page.Type(200, y, std::to_string(10 * row));
    page.Type(350, y, std::to_string(100 * row));
  }
  EXPECT_THAT(Told(page.Blocks()),
              ElementsAre("T:row 0\t0\t0\nrow 1\t10\t100\nrow 2\t20\t200\nrow 3\t30\t300"));
}

TEST(LayoutTest, ACaptionOverATableIsNoRowOfIt) {
  TypedPage page;
  page.Type(50, 180, "表 1 测量结果");
  for (int row = 0; row < 3; ++row) {
    page.Type(50, 200 + 14 * row, "甲")
        .Type(200, 200 + 14 * row, "12")
        .Type(300, 200 + 14 * row, "7");
  }
  EXPECT_THAT(Told(page.Blocks()),
              ElementsAre("C:表 1 测量结果", "T:甲\t12\t7\n甲\t12\t7\n甲\t12\t7"));
}

TEST(LayoutTest, HyphenatedWordsAreWhole) {
  TypedPage page;
  page.Type(50, 100, "this is an exam-").Type(50, 112, "ple of it");
  const auto blocks = page.Blocks();
  ASSERT_EQ(blocks.size(), 1U);
  EXPECT_EQ(JoinLines(blocks[0].lines), "this is an example of it");
}

TEST(LayoutTest, NumbersKeepTheirHyphens) {
  TypedPage page;
  page.Type(50, 100, "pages 10-").Type(50, 112, "20 of it");
  EXPECT_EQ(JoinLines(page.Blocks()[0].lines), "pages 10- 20 of it");
}

TEST(LayoutTest, LigaturesBecomeLetters) {
  TypedPage page;
  page.Type(50, 100, "e\uFB03cient \uFB01gure");
  EXPECT_EQ(JoinLines(page.Blocks()[0].lines), "efficient figure");
}

TEST(LayoutTest, ImagesAndDenseDrawingsAreFigures) {
  TypedPage page;
  page.Type(50, 60, kFull).Type(50, 72, kFull);
  page.Image({100, 120, 200, 150});
  page.Type(100, 280, "Figure 1: A photograph");
  for (int i = 0; i < 30; ++i) page.Draw({100.0 + 5 * i, 400, 20, 100}, 5);
  page.Type(110, 450, "label");
  page.Type(100, 520, "图 2 曲线");
  EXPECT_THAT(Told(page.Blocks()),
              ElementsAre(testing::StartsWith("P:a line"), "F:", "C:Figure 1: A photograph",
                          "F:label", "C:图 2 曲线"));
}

TEST(LayoutTest, BackgroundsAndRulesAreNoFigures) {
  TypedPage page;
  page.Draw({0, 0, 600, 800}, 4).Draw({50, 90, 500, 0.5}, 2).Type(50, 100, kFull);
  EXPECT_THAT(Told(page.Blocks()), ElementsAre(testing::StartsWith("P:")));
}

TEST(LayoutTest, RulesAroundTextAreATable) {
  TypedPage page;
  for (int rule = 0; rule < 3; ++rule) page.Draw({50, 200.0 + 30 * rule, 300, 0.5}, 2);
  page.Type(60, 212, "name size").Type(60, 242, "one 1");
  EXPECT_THAT(Told(page.Blocks()), ElementsAre("T:name size\none 1"));
}

TEST(LayoutTest, TurnedTextIsReadInItsDirection) {
  TypedPage page;
  page.Type(50, 100, "first line of a turned table", {.direction = TextDirection::kUp});
  page.Type(50, 112, "second line of it", {.direction = TextDirection::kUp});
  const auto blocks = page.Blocks();
  ASSERT_EQ(blocks.size(), 1U);
  EXPECT_EQ(JoinLines(blocks[0].lines), "first line of a turned table second line of it");
  // On the page it stands upright along the left: lines beside each other, text upwards.
  EXPECT_LT(blocks[0].box.width, blocks[0].box.height);
  EXPECT_NEAR(blocks[0].box.x, 100, 0.01);
  EXPECT_NEAR(blocks[0].box.bottom(), kHeight - 50, 0.01);
}

TEST(LayoutTest, HeadersAndPageNumbersAreOther) {
  TypedPage page;
  page.Type(50, 20, "A running header");
  page.Type(50, 100, kFull).Type(50, 112, kFull);
  page.Type(300, 770, "12");
  EXPECT_THAT(Told(page.Blocks()), ElementsAre("O:A running header", testing::_, "O:12"));
}

TEST(LayoutTest, ListItemsKeepTheirLines) {
  TypedPage page;
  page.Type(50, 100, "• 第一项").Type(50, 112, "• second item");
  EXPECT_THAT(Told(page.Blocks()), ElementsAre("L:• 第一项\n• second item"));
}

TEST(LayoutTest, EmptyPageHasNoBlocks) { EXPECT_TRUE(TypedPage().Blocks().empty()); }

TEST(LayoutTest, EveryCharacterIsInExactlyOneBlock) {
  TypedPage page;
  std::size_t typed = 0;
  for (int line = 0; line < 30; ++line) {
    const std::string text = Numbered("字 w", line);
    page.Type(40.0 + 37 * (line % 7), 60.0 + 21 * line, text, {.size = 8.0 + line % 5});
    typed += base::CountCodePoints(text) - 1;
  }
  std::size_t found = 0;
  for (const LayoutBlock& block : page.Blocks()) {
    const std::string text = JoinLines(block.lines);  // The view must not outlive it.
    for (const char32_t c : base::Utf8View(text)) {
      found += c != U' ' && c != U'\n' && c != U'\t' ? 1 : 0;
    }
  }
  EXPECT_EQ(found, typed);
}

TEST(TextQualityTest, PrivateUseAndReplacementAreUnusable) {
  TypedPage good;
  good.Type(50, 100, "words 文字");
  EXPECT_TRUE(IsTextUsable(good.content()));
  TypedPage bad;
  bad.Type(50, 100, "\uE001\uE002\uFFFD\uE003 a");
  EXPECT_FALSE(IsTextUsable(bad.content()));
  EXPECT_FALSE(IsTextUsable(PageContent()));
}

}  // namespace
}  // namespace sightline::media
