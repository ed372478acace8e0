#include "text/analyzer.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <vector>

namespace sightline::text {
namespace {

std::vector<std::string> Terms(const std::vector<Token>& tokens) {
  std::vector<std::string> terms;
  for (const Token& token : tokens) terms.push_back(token.term);
  return terms;
}
std::vector<std::string> IndexTerms(std::string_view text) { return Terms(Analyze(text)); }
std::vector<std::string> QueryTerms(std::string_view text) { return Terms(AnalyzeQuery(text)); }

using V = std::vector<std::string>;

TEST(Analyzer, EnglishWordsAreFoldedAndStemmed) {
  EXPECT_EQ(IndexTerms("Running the Searches, QUICKLY."), (V{"run", "the", "search", "quick"}));
  EXPECT_EQ(IndexTerms("the dog's bone and the dogs’ bones"),
            (V{"the", "dog", "bone", "and", "the", "dog", "bone"}));
  EXPECT_EQ(IndexTerms("Ｆｕｌｌ Ｗｉｄｔｈ ﬁle"), (V{"full", "width", "file"}));
  EXPECT_EQ(IndexTerms("café naïve Müller"), IndexTerms("cafe naive Muller"));
}

TEST(Analyzer, ChineseGivesBigramsAndLongDictionaryWords) {
  EXPECT_EQ(IndexTerms("上下文"), (V{"上下文", "上下", "下文", "文"}));
  // The last character of a run stands alone as well: what a one-character prefix would miss.
  EXPECT_EQ(IndexTerms("熊猫"), (V{"熊猫", "猫"}));
  EXPECT_EQ(IndexTerms("猫"), (V{"猫"}));
}

TEST(Analyzer, OnePlaceOfATextGivesATermOnce) {
  const std::vector<Token> tokens =
      Analyze("编译时数据库连接失败，请检查网络设置 and running tests");
  for (size_t i = 0; i < tokens.size(); ++i) {
    for (size_t j = i + 1; j < tokens.size(); ++j) {
      EXPECT_FALSE(tokens[i].term == tokens[j].term && tokens[i].begin == tokens[j].begin)
          << tokens[i].term;
    }
  }
}

TEST(Analyzer, TraditionalAndSimplifiedChineseAreOne) {
  EXPECT_EQ(IndexTerms("資料庫軟體設計"), IndexTerms("资料库软体设计"));
  EXPECT_EQ(QueryTerms("圖像處理"), QueryTerms("图像处理"));
}

TEST(Analyzer, EveryCharacterIsFoundByAQuestionOfThatCharacter) {
  const std::vector<Token> text = Analyze("大熊猫和猫咪都是动物");
  for (const char* character : {"大", "熊", "猫", "咪", "物"}) {
    const std::vector<Token> query = AnalyzeQuery(character);
    ASSERT_EQ(query.size(), 1U);
    EXPECT_TRUE(query[0].is_prefix);
    EXPECT_TRUE(std::any_of(text.begin(), text.end(), [&](const Token& token) {
      return token.term.starts_with(query[0].term);
    })) << character;
  }
}

TEST(Analyzer, IdentifiersStandWholeAndInParts) {
  EXPECT_EQ(IndexTerms("foo_bar-1.2"), (V{"foo_bar-1.2", "foo", "bar", "1", "2"}));
  EXPECT_EQ(IndexTerms("see /usr/lib/x.so."), (V{"see", "usr/lib/x.so", "usr", "lib", "x", "so"}));
  EXPECT_EQ(IndexTerms("C++ and C#, not F# or A+"),
            (V{"c++", "c", "and", "c#", "c", "not", "f#", "f", "or", "a"}));
  EXPECT_EQ(IndexTerms("1,000 3.14 x=1,2"), (V{"1000", "3.14", "3", "14", "x", "1", "2"}));
  EXPECT_EQ(IndexTerms("使用GPU加速"), (V{"使用", "用", "gpu", "加速", "速"}));
}

TEST(Analyzer, PartsShareThePlaceOfTheirIdentifier) {
  const std::vector<Token> tokens = Analyze("a foo_bar b");
  ASSERT_EQ(Terms(tokens), (V{"a", "foo_bar", "foo", "bar", "b"}));
  EXPECT_EQ(tokens[1].position, tokens[2].position);
  EXPECT_LT(tokens[2].position, tokens[3].position);
}

TEST(Analyzer, OffsetsAreBytesOfTheOriginal) {
  const std::string text = "Ｆｏｏ 數據庫 Ⅳ\xff running";
  for (const Token& token : Analyze(text)) {
    ASSERT_LT(token.begin, token.end);
    ASSERT_LE(token.end, text.size());
  }
  const std::vector<Token> tokens = Analyze(text);
  EXPECT_EQ(text.substr(tokens[0].begin, tokens[0].end - tokens[0].begin), "Ｆｏｏ");
  EXPECT_EQ(text.substr(tokens[1].begin, tokens[1].end - tokens[1].begin), "數據");
  EXPECT_EQ(tokens.back().term, "run");
  EXPECT_EQ(text.substr(tokens.back().begin), "running");
}

TEST(Analyzer, EmojiAndFlagsAreTerms) {
  EXPECT_EQ(IndexTerms("good 👍🏽 job 🎉"), (V{"good", "👍", "job", "🎉"}));
  EXPECT_EQ(IndexTerms("🇨🇳🇬🇧"), (V{"🇨🇳", "🇬🇧"}));
  EXPECT_EQ(QueryTerms("🐼🐼"), (V{"🐼"}));
}

TEST(Analyzer, OtherScriptsHaveWords) {
  EXPECT_EQ(IndexTerms("Привет МИР"), (V{"привет", "мир"}));
  EXPECT_EQ(IndexTerms("مرحبا بالعالم").size(), 2U);
  EXPECT_GE(IndexTerms("ภาษาไทยง่าย").size(), 2U);
  EXPECT_FALSE(IndexTerms("これはテストです").empty());
}

TEST(Analyzer, QuestionsLoseStopWordsUnlessNothingElseIsThere) {
  EXPECT_EQ(QueryTerms("how do I install the printer"), (V{"instal", "printer"}));
  EXPECT_EQ(QueryTerms("who are you"), (V{"who", "are", "you"}));
  EXPECT_EQ(QueryTerms("的"), (V{"的"}));
  const V terms = QueryTerms("猫 的 图片");
  EXPECT_EQ(std::count(terms.begin(), terms.end(), "的"), 0);
}

TEST(Analyzer, QuestionTermsAreAmongTheTermsOfTheSameText) {
  for (const char* text :
       {"如何配置网络打印机的驱动程序", "Configure the network-printer's driver_v2",
        "混合 mixed 文本 with GPU加速 3.5GHz", "向 systemd 报告服务状态的变化"}) {
    const V index = IndexTerms(text);
    for (const std::string& term : QueryTerms(text)) {
      EXPECT_NE(std::find(index.begin(), index.end(), term), index.end()) << term << " in " << text;
    }
  }
}

TEST(Analyzer, LongAndHostileTextsAreBounded) {
  const std::vector<Token> one = Analyze(std::string(100000, 'a'));
  ASSERT_EQ(one.size(), 1U);
  EXPECT_EQ(one[0].term.size(), kMaxTermCodePoints);
  std::string dotted;
  for (int i = 0; i < 20000; ++i) dotted += "a.";
  for (const Token& token : Analyze(dotted)) EXPECT_LE(token.term.size(), kMaxTermCodePoints);
  std::string bytes;
  for (int i = 0; i < 100000; ++i) bytes += static_cast<char>(i * 7919 % 256);
  for (const Token& token : Analyze(bytes)) {
    EXPECT_EQ(token.term.find('\0'), std::string::npos);
    EXPECT_EQ(token.term.find(' '), std::string::npos);
  }
}

TEST(Analyzer, PunctuationInsideTermsIsWhatTheIndexIsTold) {
  for (const Token& token : Analyze("a_b c-d e.f g/h i:j k@l m+n o#p c++ c# it's 1,000 x&y p=q")) {
    for (const char c : token.term) {
      const bool is_plain = static_cast<unsigned char>(c) >= 0x80 || isalnum(c) != 0;
      EXPECT_TRUE(is_plain || kTermPunctuation.find(c) != std::string_view::npos) << token.term;
    }
  }
}

TEST(Analyzer, EmptyAndBlankTextsHaveNoTerms) {
  EXPECT_TRUE(Analyze("").empty());
  EXPECT_TRUE(Analyze(" \n\t。，！ --- ...").empty());
  EXPECT_TRUE(AnalyzeQuery("").empty());
}

TEST(Analyzer, IndexTextIsTermsAndSingleSpaces) {
  EXPECT_EQ(ToIndexText(Analyze("Foo, bar!")), "foo bar");
  EXPECT_EQ(ToIndexText({}), "");
}

}  // namespace
}  // namespace sightline::text
