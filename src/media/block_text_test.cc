#include "media/block_text.h"

#include <gtest/gtest.h>

namespace sightline::media {
namespace {

LayoutBlock Block(BlockKind kind, std::vector<std::string> lines) {
  LayoutBlock block;
  block.kind = kind;
  for (std::string& line : lines) block.lines.push_back({std::move(line), {}});
  return block;
}

TEST(BlockTextTest, WordsAreParted) {
  EXPECT_EQ(BlockText(Block(BlockKind::kParagraph, {"the first", "line"})), "the first line");
}

TEST(BlockTextTest, ChineseLinesAreNot) {
  EXPECT_EQ(BlockText(Block(BlockKind::kParagraph, {"实验结", "果显示"})), "实验结果显示");
}

TEST(BlockTextTest, ChineseBesideLatinIs) {
  EXPECT_EQ(BlockText(Block(BlockKind::kParagraph, {"使用", "LaTeX", "排版"})), "使用 LaTeX 排版");
}

TEST(BlockTextTest, RowsKeepTheirLines) {
  EXPECT_EQ(BlockText(Block(BlockKind::kTable, {"a\tb", "c\td"})), "a\tb\nc\td");
  EXPECT_EQ(BlockText(Block(BlockKind::kFigure, {})), "");
}

}  // namespace
}  // namespace sightline::media
