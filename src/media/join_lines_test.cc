#include "media/join_lines.h"

#include <gtest/gtest.h>

#include <vector>

namespace sightline::media {
namespace {

std::string Joined(const std::vector<std::string>& texts) {
  std::vector<TextLine> lines;
  for (const std::string& text : texts) lines.push_back({text, {}});
  return JoinLines(lines);
}

TEST(JoinLinesTest, WordsAreParted) {
  EXPECT_EQ(Joined({"the first", "line"}), "the first line");
  EXPECT_EQ(Joined({"the first ", "", "line"}), "the first line");
  EXPECT_EQ(Joined({}), "");
}

TEST(JoinLinesTest, ChineseLinesAreNot) {
  EXPECT_EQ(Joined({"视线与凹液面", "最低处平齐。"}), "视线与凹液面最低处平齐。");
  EXPECT_EQ(Joined({"读数准确，", "误差小"}), "读数准确，误差小");
}

TEST(JoinLinesTest, ChineseLinesThatEndEarlyAre) {
  const std::vector<TextLine> rows = {
      {"事故 处理方法", {50, 0, 80, 10}},
      {"酸沾到皮肤上 立即用大量水冲洗，再涂上碳酸", {50, 12, 300, 10}},
      {"氢钠溶液", {50, 24, 282, 10}},
      {"烫伤 用冷水冲洗", {50, 36, 100, 10}},
      {"金属汞洒落", {50, 48, 60, 10}}};
  EXPECT_EQ(
      JoinLines(rows),
      "事故 处理方法 酸沾到皮肤上 立即用大量水冲洗，再涂上碳酸氢钠溶液烫伤 用冷水冲洗 金属汞洒落");
}

TEST(JoinLinesTest, ChineseBesideLatinIs) {
  EXPECT_EQ(Joined({"使用 OpenCV", "检测边缘", "edges"}), "使用 OpenCV 检测边缘 edges");
}

TEST(JoinLinesTest, LeadersBecomeOneEllipsis) {
  EXPECT_EQ(Joined({"Revenue by region ........", "....... 5"}), "Revenue by region … 5");
  EXPECT_EQ(Joined({"2.1 量筒 . . . . . . . 12"}), "2.1 量筒 … 12");
  EXPECT_EQ(Joined({"第一章······3"}), "第一章…3");
  EXPECT_EQ(Joined({"第二章…………………9"}), "第二章…9");
}

TEST(JoinLinesTest, OrdinaryDotsStay) {
  EXPECT_EQ(Joined({"and so on... Then", "v1.2.3.4 等等……"}), "and so on... Then v1.2.3.4 等等……");
}

}  // namespace
}  // namespace sightline::media
