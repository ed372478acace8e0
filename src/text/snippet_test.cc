#include "text/snippet.h"

#include <gtest/gtest.h>

#include <random>
#include <string>
#include <vector>

#include "text/code_points.h"

namespace sightline::text {
namespace {

Snippet Of(std::string_view text, std::string_view query, size_t columns = kSnippetColumns) {
  return BestSnippet(text, AnalyzeQuery(query), columns);
}

/// The highlighted parts, as text.
std::vector<std::string> Marked(const Snippet& snippet) {
  std::vector<size_t> starts;
  for (size_t at = 0; at < snippet.text.size();) {
    starts.push_back(at);
    NextCodePoint(snippet.text, &at);
  }
  starts.push_back(snippet.text.size());
  std::vector<std::string> parts;
  for (const HighlightRange& range : snippet.highlights) {
    EXPECT_LT(range.begin, range.end);
    EXPECT_LT(range.end, starts.size());
    if (range.end >= starts.size()) continue;
    parts.push_back(
        snippet.text.substr(starts[range.begin], starts[range.end] - starts[range.begin]));
  }
  return parts;
}

using V = std::vector<std::string>;

TEST(Snippet, MarksStemsInShortText) {
  const Snippet snippet = Of("The pumps were running quickly.", "run a pump");
  EXPECT_EQ(snippet.text, "The pumps were running quickly.");
  EXPECT_EQ(Marked(snippet), (V{"pumps", "running"}));
}

TEST(Snippet, MarksChineseAsOnePart) {
  const Snippet snippet = Of("首先打开数据库连接，然后执行查询。", "數據庫連接");
  EXPECT_EQ(snippet.text, "首先打开数据库连接，然后执行查询。");
  EXPECT_EQ(Marked(snippet), (V{"数据库连接"}));
}

TEST(Snippet, ShowsTheOriginalNotTheFolded) {
  EXPECT_EQ(Marked(Of("使用ＧＰＵ加速 ﬁles", "gpu file")), (V{"ＧＰＵ", "ﬁles"}));
  EXPECT_EQ(Marked(Of("繁體資料庫設計", "资料库")), (V{"資料庫"}));
}

TEST(Snippet, OneCharacterQuestionsMarkOneCharacter) {
  EXPECT_EQ(Marked(Of("大熊猫和猫咪", "猫")), (V{"猫", "猫"}));
}

TEST(Snippet, IdentifiersAreMarkedWhole) {
  EXPECT_EQ(Marked(Of("call foo_bar-1.2 now", "foo_bar-1.2")), (V{"foo_bar-1.2"}));
}

TEST(Snippet, TakesTheWindowWithMostDifferentTerms) {
  std::string text;
  for (int i = 0; i < 40; ++i) text += "The valve is closed here and nothing happens at all. ";
  text += "Then the pump opens the valve and water flows. ";
  for (int i = 0; i < 40; ++i) text += "More words about other things follow after that place. ";
  const Snippet snippet = Of(text, "pump valve water");
  EXPECT_EQ(Marked(snippet).size() >= 3, true);
  EXPECT_NE(snippet.text.find("pump opens the valve and water"), std::string::npos) << snippet.text;
  EXPECT_TRUE(snippet.text.starts_with("…"));
  EXPECT_TRUE(snippet.text.ends_with("…"));
}

TEST(Snippet, TakesTheBestChineseWindow) {
  std::string text;
  for (int i = 0; i < 60; ++i) text += "这里讲的是别的事情，与问题没有关系。";
  text += "水泵把水送到上面的水箱。";
  for (int i = 0; i < 60; ++i) text += "后面还有很多其他内容，也没有关系。";
  const Snippet snippet = Of(text, "水泵 水箱");
  EXPECT_NE(snippet.text.find("水泵把水送到上面的水箱"), std::string::npos) << snippet.text;
  EXPECT_LE(CountCodePoints(snippet.text), 82U);
}

TEST(Snippet, WithoutMatchIsTheBeginning) {
  const Snippet snippet = Of("Alpha beta\n\n  gamma\tdelta", "zebra");
  EXPECT_EQ(snippet.text, "Alpha beta gamma delta");
  EXPECT_TRUE(snippet.highlights.empty());
  EXPECT_EQ(Of("", "zebra").text, "");
  EXPECT_EQ(Of("text", "").text, "text");
}

TEST(Snippet, AMatchAtTheEndFillsTheWidth) {
  std::string text;
  for (int i = 0; i < 100; ++i) text += "filler words ";
  text += "zebra";
  const Snippet snippet = Of(text, "zebra");
  EXPECT_EQ(Marked(snippet), (V{"zebra"}));
  EXPECT_GT(CountCodePoints(snippet.text), 100U);
  EXPECT_FALSE(snippet.text.ends_with("…"));
}

TEST(Snippet, AWordLongerThanTheWindowIsCut) {
  const Snippet snippet = Of(std::string(1000, 'a'), std::string(1000, 'a'), 20);
  EXPECT_LE(CountCodePoints(snippet.text), 22U);
  EXPECT_FALSE(snippet.highlights.empty());
}

TEST(Snippet, AnyBytesGiveAValidSnippet) {
  std::mt19937 random(3);
  const V parts = {"pump", " ", "\n", "水泵", "。", "\xff", std::string(1, '\0'),
                   "🎉",   "é", ". ", "ﬁ"};
  for (int round = 0; round < 300; ++round) {
    std::string text;
    const size_t size = random() % 80;
    for (size_t i = 0; i < size; ++i) text += parts[random() % parts.size()];
    const size_t columns = 1 + random() % 40;
    const Snippet snippet = Of(text, "pump 水泵 🎉", columns);
    EXPECT_EQ(snippet.text.find('\0'), std::string::npos);
    for (size_t at = 0; at < snippet.text.size();) {
      ASSERT_NE(NextCodePoint(snippet.text, &at), kInvalidCodePoint);
    }
    EXPECT_LE(CountCodePoints(snippet.text), columns + 2);
    Marked(snippet);
  }
}

}  // namespace
}  // namespace sightline::text
