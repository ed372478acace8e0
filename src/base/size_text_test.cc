#include "base/size_text.h"

#include <gtest/gtest.h>

namespace sightline::base {
namespace {

TEST(SizeTextTest, SizesAreReadable) {
  EXPECT_EQ(FormatSize(0), "0 B");
  EXPECT_EQ(FormatSize(1023), "1023 B");
  EXPECT_EQ(FormatSize(1024), "1.0 KiB");
  EXPECT_EQ(FormatSize(1'258'291), "1.2 MiB");
  EXPECT_EQ(FormatSize(uint64_t{340} << 30), "340 GiB");
  EXPECT_EQ(FormatSize((uint64_t{1} << 20) - 1), "1.0 MiB");
  EXPECT_EQ(FormatSize(~uint64_t{0}), "16.0 EiB");
}

TEST(SizeTextTest, PeoplesSizesAreRead) {
  EXPECT_EQ(*ParseSize("512"), 512U);
  EXPECT_EQ(*ParseSize("64k"), 65'536U);
  EXPECT_EQ(*ParseSize("1.5 GiB"), 1'610'612'736U);
  EXPECT_EQ(*ParseSize("20G"), uint64_t{20} << 30);
  EXPECT_EQ(*ParseSize("8MB"), uint64_t{8} << 20);
  for (const char* text : {"", "-1", "1 parsec", "KiB", "1e3", "nan", "9999999E", "1 KiBB", "一"}) {
    EXPECT_FALSE(ParseSize(text).ok()) << text;
  }
}

}  // namespace
}  // namespace sightline::base
