#include "text/normalize.h"

#include <gtest/gtest.h>

#include <string>
#include <thread>
#include <vector>

#include "text/code_points.h"

namespace sightline::text {
namespace {

TEST(Fold, FoldsCaseWidthAndCompatibilityForms) {
  EXPECT_EQ(Fold("Hello WORLD"), "hello world");
  EXPECT_EQ(Fold("ＡＢＣ１２３"), "abc123");
  EXPECT_EQ(Fold("ﬁ Ⅳ ② ㎏"), "fi iv 2 kg");
  EXPECT_EQ(Fold("Straße"), "strasse");
  EXPECT_EQ(Fold("ﾃﾞｰﾀ"), "データ");
  EXPECT_EQ(Fold("e\u0301"), "\u00e9");
}

TEST(Fold, ConvertsTraditionalChineseByPhrase) {
  ASSERT_TRUE(FoldingStatus().ok()) << FoldingStatus().ToString();
  EXPECT_EQ(Fold("漢語與電腦"), "汉语与电脑");
  EXPECT_EQ(Fold("乾淨"), "干净");
  EXPECT_EQ(Fold("乾隆"), "乾隆");  // a phrase that keeps its character
  EXPECT_EQ(Fold("简体不变"), "简体不变");
}

TEST(Fold, UnifiesRadicalsThatPdfFilesUseForCharacters) { EXPECT_EQ(Fold("⼤⼩"), "大小"); }

TEST(Fold, NulAndInvalidBytesBecomeSpaces) {
  EXPECT_EQ(Fold(std::string_view("a\0b", 3)), "a b");
  EXPECT_EQ(Fold("a\xff\xfe中"), "a  中");
  EXPECT_EQ(Fold("中\xe4\xb8"), "中  ");
  EXPECT_EQ(Fold("\xed\xa0\x80"), "   ");       // a surrogate
  EXPECT_EQ(Fold("\xc0\xaf"), "  ");            // overlong
  EXPECT_EQ(Fold("\xf4\x90\x80\x80"), "    ");  // above U+10FFFF
}

TEST(Fold, IsIdempotent) {
  for (const char* text :
       {"Ⅳ漢字 ﬁle", "ｶﾞ 資料庫", "Straße İstanbul", "👨‍👩‍👧 e\u0301"}) {
    EXPECT_EQ(Fold(Fold(text)), Fold(text));
  }
}

TEST(FoldWithOffsets, HasOneSpanForEachFoldedCodePoint) {
  const std::string text = "Aﬁ漢\xff\xe4Ⅳ中é👍🏽";
  const FoldedText folded = FoldWithOffsets(text);
  EXPECT_EQ(folded.text, Fold(text));
  ASSERT_EQ(folded.spans.size(), CountCodePoints(folded.text));
  uint32_t last = 0;
  for (const SourceSpan& span : folded.spans) {
    EXPECT_LT(span.begin, span.end);
    EXPECT_LE(span.end, text.size());
    EXPECT_GE(span.code_point, last);
    last = span.code_point;
  }
}

TEST(FoldWithOffsets, LeadsBackToTheSource) {
  const FoldedText folded = FoldWithOffsets("Aﬁ漢");  // bytes: A 1, ligature 3, Han 3
  ASSERT_EQ(folded.text, "afi汉");
  ASSERT_EQ(folded.spans.size(), 4U);
  EXPECT_EQ(folded.spans[0].end, 1U);
  EXPECT_EQ(folded.spans[1].begin, 1U);
  EXPECT_EQ(folded.spans[2].begin, 1U);
  EXPECT_EQ(folded.spans[2].end, 4U);
  EXPECT_EQ(folded.spans[3].begin, 4U);
  EXPECT_EQ(folded.spans[1].code_point, 1U);
  EXPECT_EQ(folded.spans[2].code_point, 1U);
  EXPECT_EQ(folded.spans[3].code_point, 2U);
}

TEST(FoldWithOffsets, DroppedCharactersKeepTheCount) {
  const FoldedText folded = FoldWithOffsets("a\u200db\u00adc");  // joiner and soft hyphen go
  ASSERT_EQ(folded.text, "abc");
  EXPECT_EQ(folded.spans[0].code_point, 0U);
  EXPECT_EQ(folded.spans[1].code_point, 2U);
  EXPECT_EQ(folded.spans[2].code_point, 4U);
}

TEST(Fold, ManyThreadsGiveTheSame) {
  const std::string text = "資料庫軟體 Full Ｗｉｄｔｈ 數據";
  const std::string expected = Fold(text);
  std::vector<std::thread> threads;
  std::vector<int> differing(4, 0);
  for (size_t t = 0; t < differing.size(); ++t) {
    threads.emplace_back([&, t] {
      for (int i = 0; i < 200; ++i) differing[t] += Fold(text) == expected ? 0 : 1;
    });
  }
  for (std::thread& thread : threads) thread.join();
  EXPECT_EQ(differing, std::vector<int>(4, 0));
}

}  // namespace
}  // namespace sightline::text
