#include "media/decoder/text_decoder.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>

#include "base/utf8.h"
#include "media/decoder/text_encoding.h"

namespace sightline::media {
namespace {

using std::string_literals::operator""s;
using testing::ElementsAre;
using testing::SizeIs;

std::string Decoded(const std::string& bytes) {
  const auto text = DecodeTextBytes(bytes, nullptr);
  return text.ok() ? *text : text.status().ToString();
}

TEST(TextEncodingTest, MarksAreTakenOff) {
  EXPECT_EQ(Decoded("\xEF\xBB\xBF"
                    "abc"),
            "abc");
  EXPECT_EQ(Decoded("\xFF\xFE"
                    "a\0-N"s),
            "a中");
  EXPECT_EQ(Decoded("\xFE\xFF"
                    "\0aN-"s),
            "a中");
}

TEST(TextEncodingTest, ChineseDoubleByteTextIsRecognised) {
  // "中文信息检索系统可以搜索文档和视频。" in GB18030 and its traditional form in Big5, repeated as
  // in a file.
  const std::string gb =
      "\xD6\xD0\xCE\xC4\xD0\xC5\xCF\xA2\xBC\xEC\xCB\xF7\xCF\xB5\xCD\xB3\xBF\xC9\xD2\xD4\xCB\xD1"
      "\xCB\xF7\xCE\xC4\xB5\xB5\xBA\xCD\xCA\xD3\xC6\xB5\xA1\xA3\n";
  const std::string big5 =
      "\xA4\xA4\xA4\xE5\xB8\xEA\xB0\x54\xC0\xCB\xAF\xC1\xA8\x74\xB2\xCE\xA5\x69\xA5\x48\xB7\x6A"
      "\xB4\x4D\xA4\xE5\xC0\xC9\xA9\x4D\xB5\xF8\xB0\x54\xA1\x43\n";
  std::string gb_file;
  std::string big5_file;
  for (int i = 0; i < 20; ++i) {
    gb_file += gb;
    big5_file += big5;
  }
  EXPECT_THAT(Decoded(gb_file), testing::StartsWith("中文信息检索系统可以搜索文档和视频。\n"));
  EXPECT_THAT(Decoded(big5_file), testing::StartsWith("中文資訊檢索系統可以搜尋文檔和視訊。\n"));
}

TEST(TextEncodingTest, LineEndsBecomeOne) { EXPECT_EQ(Decoded("a\r\nb\rc\n"), "a\nb\nc\n"); }

TEST(TextEncodingTest, BinaryIsNoText) {
  EXPECT_FALSE(LooksLikeText(""));
  EXPECT_FALSE(LooksLikeText("\0\1\2\3"s));
  EXPECT_FALSE(LooksLikeText(std::string(1000, '\x01')));
  EXPECT_TRUE(LooksLikeText("tabs\tand\nlines\f"));
}

TEST(TextEncodingTest, ACharacterCutByTheHeadIsForgiven) {
  const std::string text = "长文本";
  EXPECT_TRUE(LooksLikeText(text.substr(0, text.size() - 1)));
}

TEST(SplitTextTest, BlankLinesPart) {
  EXPECT_THAT(SplitText("one\n\n two \n\t\nthree", 1, 100), ElementsAre("one", "two", "three"));
}

TEST(SplitTextTest, ShortNeighboursStayTogether) {
  EXPECT_THAT(SplitText("Heading\n\nIts text.\n\nMore", 12, 100),
              ElementsAre("Heading\n\nIts text.", "More"));
}

TEST(SplitTextTest, LongPiecesAreCutBetweenCharacters) {
  std::string text;
  for (int i = 0; i < 100; ++i) text += "检索";
  const auto pieces = SplitText(text, 10, 100);
  std::string joined;
  for (const std::string& piece : pieces) {
    EXPECT_LE(piece.size(), 100U);
    EXPECT_TRUE(base::IsValidUtf8(piece));
    joined += piece;
  }
  EXPECT_EQ(joined, text);
}

TEST(SplitTextTest, SentencesAreKeptWhole) {
  EXPECT_THAT(SplitText("First sentence of it. Second one", 10, 30),
              ElementsAre("First sentence of it.", "Second one"));
}

TEST(SplitTextTest, NothingGivesNothing) {
  EXPECT_THAT(SplitText("", 10, 100), SizeIs(0));
  EXPECT_THAT(SplitText(" \n\n\f\n ", 10, 100), SizeIs(0));
}

}  // namespace
}  // namespace sightline::media
