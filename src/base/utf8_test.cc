#include "base/utf8.h"

#include <gtest/gtest.h>

#include <vector>

namespace sightline::base {
namespace {

TEST(Utf8Test, EveryCodePointGoesThereAndBack) {
  for (char32_t c = 0; c <= 0x10FFFF; ++c) {
    if (c == 0xD800) c = 0xE000;
    std::string text;
    AppendUtf8(c, text);
    const CodePoint decoded = DecodeUtf8(text);
    ASSERT_TRUE(decoded.valid && decoded.value == c && decoded.size_bytes == text.size()) << +c;
  }
}

TEST(Utf8Test, MalformedBytesAreFound) {
  for (const char* text : {"\x80", "\xC0\xAF", "\xE0\x80\xAF", "\xED\xA0\x80", "\xF4\x90\x80\x80",
                           "\xF5\x80\x80\x80", "\xE8\xA7", "视\xFF", "\xF0\x9F\x98"}) {
    EXPECT_FALSE(IsValidUtf8(text)) << text;
  }
  EXPECT_TRUE(IsValidUtf8("视线 sightline 🔍"));
  EXPECT_TRUE(IsValidUtf8(""));
}

TEST(Utf8Test, SanitizingReplacesMaximalPartsAndNul) {
  // The examples of the Unicode Standard, table 3-8.
  EXPECT_EQ(SanitizeUtf8("a\xF1\x80\x80\xE1\x80\xC2"
                         "b\x80"
                         "c\x80\xBF"
                         "d"),
            "a\uFFFD\uFFFD\uFFFDb\uFFFDc\uFFFD\uFFFDd");
  EXPECT_EQ(SanitizeUtf8(std::string_view("视\0线", 7)), "视\uFFFD线");
  EXPECT_EQ(SanitizeUtf8("视线 page 🔍"), "视线 page 🔍");
}

TEST(Utf8Test, TruncationKeepsCodePointsWhole) {
  EXPECT_EQ(TruncateUtf8("视线", 5), "视");
  EXPECT_EQ(TruncateUtf8("视线", 6), "视线");
  EXPECT_EQ(TruncateUtf8("a🔍", 4), "a");
  EXPECT_EQ(TruncateUtf8("视", 2), "");
  EXPECT_EQ(TruncateUtf8("page", 3), "pag");
}

TEST(Utf8Test, TheViewWalksCodePointsWithOffsets) {
  std::vector<char32_t> seen;
  std::vector<size_t> offsets;
  const Utf8View view("a视\xFF🔍");
  for (auto it = view.begin(); it != view.end(); ++it) {
    seen.push_back(*it);
    offsets.push_back(it.offset());
  }
  EXPECT_EQ(seen, (std::vector<char32_t>{U'a', U'视', kReplacementCharacter, U'🔍'}));
  EXPECT_EQ(offsets, (std::vector<size_t>{0, 1, 4, 5}));
  EXPECT_EQ(CountCodePoints("a视\xFF🔍"), 4U);
}

}  // namespace
}  // namespace sightline::base
