#include "media/decoder/line_kind.h"

#include <gtest/gtest.h>

namespace sightline::media {
namespace {

TEST(LineKindTest, CaptionsAreRecognised) {
  for (const char* line :
       {"Figure 3: The result", "Fig. 2.1. Setup", "Table IV. Values", "图 3 实验装置", "图3：结果",
        "表2-1 参数", "Figure A.1: Data", "TABLE 2", "Figure 12 Overview of the system"}) {
    EXPECT_TRUE(StartsCaption(line)) << line;
  }
}

TEST(LineKindTest, SentencesAboutFiguresAreNot) {
  for (const char* line : {"Figure 3 shows the result", "Figures are below", "Table of contents",
                           "图像处理", "表示方法", "The figure 3: x", ""}) {
    EXPECT_FALSE(StartsCaption(line)) << line;
  }
}

TEST(LineKindTest, ListItemsAreRecognised) {
  for (const char* line :
       {"• first", "- second", "1. third", "(a) fourth", "3）第五", "一、背景", "[12] Author"}) {
    EXPECT_TRUE(StartsListItem(line)) << line;
  }
  for (const char* line :
       {"plain text", "1999 was a year", "-5 degrees", "a word", "这是", "3.14"}) {
    EXPECT_FALSE(StartsListItem(line)) << line;
  }
}

TEST(LineKindTest, PageNumbersAreRecognised) {
  for (const char* line : {"12", "- 12 -", "xiv", "第 3 页", "3 / 20"}) {
    EXPECT_TRUE(IsPageNumber(line)) << line;
  }
  for (const char* line : {"12 Results", "page", "", "- -", "第三章"}) {
    EXPECT_FALSE(IsPageNumber(line)) << line;
  }
}

TEST(LineKindTest, NumberedHeadingsAreRecognised) {
  for (const char* line : {"3.2 Results", "1 Introduction", "第二章 方法", "Appendix A", "附录"}) {
    EXPECT_TRUE(StartsNumberedHeading(line)) << line;
  }
  for (const char* line : {"Results", "第二次实验", "2021年", "3.2"}) {
    EXPECT_FALSE(StartsNumberedHeading(line)) << line;
  }
}

}  // namespace
}  // namespace sightline::media
