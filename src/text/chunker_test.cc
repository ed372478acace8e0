#include "text/chunker.h"

#include <gtest/gtest.h>

#include <random>
#include <string>
#include <vector>

#include "text/code_points.h"

namespace sightline::text {
namespace {

size_t CountWords(std::string_view text) {
  size_t words = 0;
  bool inside = false;
  for (const char c : text) {
    const bool space = c == ' ' || c == '\n' || c == '\t' || c == '\f' || c == '\r' || c == '\v';
    if (!space && !inside) ++words;
    inside = !space;
  }
  return words;
}
size_t CountCharacters(std::string_view text) { return CountCodePoints(text); }

bool IsBlank(std::string_view text) { return CountWords(text) == 0; }

/// Every promise that holds for all texts.
void CheckChunks(std::string_view text, const TokenCounter& count, const ChunkOptions& options) {
  size_t at = 0;
  for (const Chunk& chunk : ChunkText(text, count, options)) {
    ASSERT_LE(at, chunk.begin);
    ASSERT_LT(chunk.begin, chunk.end);
    ASSERT_LE(chunk.end, text.size());
    EXPECT_TRUE(IsBlank(text.substr(at, chunk.begin - at))) << "lost text before " << chunk.begin;
    const std::string_view inside = text.substr(chunk.begin, chunk.end - chunk.begin);
    EXPECT_FALSE(IsBlank(inside.substr(0, 1)));
    EXPECT_FALSE(IsBlank(inside.substr(inside.size() - 1)));
    EXPECT_LE(count(inside), options.max_tokens);
    at = chunk.end;
  }
  EXPECT_TRUE(IsBlank(text.substr(at))) << "lost text at the end";
}

std::vector<std::string> Chunks(std::string_view text, const TokenCounter& count,
                                const ChunkOptions& options) {
  std::vector<std::string> chunks;
  for (const Chunk& chunk : ChunkText(text, count, options)) {
    chunks.emplace_back(text.substr(chunk.begin, chunk.end - chunk.begin));
  }
  return chunks;
}

using V = std::vector<std::string>;

TEST(Chunker, ShortTextIsOnePassage) {
  EXPECT_EQ(Chunks("  One sentence. Two sentences.\n", CountWords, {10, 5}),
            (V{"One sentence. Two sentences."}));
  EXPECT_TRUE(Chunks("", CountWords, {10, 5}).empty());
  EXPECT_TRUE(Chunks(" \n\n \t", CountWords, {10, 5}).empty());
}

TEST(Chunker, BreaksBetweenSentences) {
  EXPECT_EQ(Chunks("One two three. Four five six. Seven eight.", CountWords, {6, 6}),
            (V{"One two three. Four five six.", "Seven eight."}));
  EXPECT_EQ(Chunks("今天天气很好。我们去公园！你来吗？好。", CountCharacters, {13, 13}),
            (V{"今天天气很好。我们去公园！", "你来吗？好。"}));
}

TEST(Chunker, AGoodPassageEndsAtItsParagraph) {
  EXPECT_EQ(Chunks("One two three four.\n\nFive six. Seven eight nine ten.", CountWords, {8, 4}),
            (V{"One two three four.", "Five six. Seven eight nine ten."}));
  // A short paragraph (a heading) goes with what follows.
  EXPECT_EQ(Chunks("Title\n\nFive six. Seven eight.", CountWords, {8, 4}),
            (V{"Title\n\nFive six. Seven eight."}));
}

TEST(Chunker, LongSentencesAreCutAtClausesOrWords) {
  EXPECT_EQ(Chunks("one two three, four five six seven", CountWords, {4, 4}),
            (V{"one two three,", "four five six seven"}));
  EXPECT_EQ(Chunks("one two three four five", CountWords, {3, 3}),
            (V{"one two three", "four five"}));
  EXPECT_EQ(Chunks("打开文件，选择页面再打印出来", CountCharacters, {8, 8}),
            (V{"打开文件，", "选择页面再打印出", "来"}));
}

TEST(Chunker, NothingIsLostAndNothingIsTooLong) {
  const std::string mixed =
      "第一章 introduction. 数据库 systems are useful, 因为它们保存数据。\n\nA very long paragraph "
      "without much punctuation goes on and on and on until nobody reads it any more "
      "真的没有人读。";
  std::string long_text;
  for (int i = 0; i < 50; ++i) long_text += mixed + (i % 3 == 0 ? "\n\n" : " ");
  for (const size_t limit : {1, 2, 3, 7, 20, 100, 5000}) {
    CheckChunks(long_text, CountCharacters, {limit, limit / 2});
    CheckChunks("  " + mixed, CountCharacters, {limit, limit});
  }
}

TEST(Chunker, LongParagraphsAreNotCutInsideWords) {
  std::string text;
  for (int i = 0; i < 3000; ++i) text += "Word" + std::to_string(i) + (i % 40 == 39 ? ". " : " ");
  for (const std::string& chunk : Chunks(text, CountWords, {100, 50})) {
    EXPECT_TRUE(chunk.starts_with("Word")) << chunk.substr(0, 20);
    EXPECT_TRUE(chunk.ends_with(".")) << chunk;
  }
}

TEST(Chunker, RandomBytesKeepThePromises) {
  std::mt19937 random(7);
  const std::vector<std::string> parts = {"a",  " ",    "\n", "\n\n", "。",   "数", "，",
                                          ". ", "\xff", "é",  "🎉",   "word", "\f", "\xe4\xb8"};
  for (int round = 0; round < 200; ++round) {
    std::string text;
    const size_t size = random() % 60;
    for (size_t i = 0; i < size; ++i) text += parts[random() % parts.size()];
    const auto bytes = [](std::string_view part) { return part.size(); };
    CheckChunks(text, CountCharacters, {1 + random() % 9, 1 + random() % 5});
    CheckChunks(text, bytes, {8 + random() % 9, 1 + random() % 5});
  }
}

TEST(Chunker, BytesThatContinueNothingAreNoCharacter) {
  const auto bytes = [](std::string_view part) { return part.size(); };
  const std::string text = "word " + std::string(500, '\x85') + " 字字字";
  CheckChunks(text, bytes, {8, 4});
}

TEST(Chunker, AnEndlessSentenceIsLinear) {
  size_t counted_bytes = 0;
  const auto counter = [&counted_bytes](std::string_view text) {
    counted_bytes += text.size();
    return text.size() / 4 + 2;
  };
  const std::string text(size_t{2} << 20, 'x');
  CheckChunks(text, counter, {256, 128});
  EXPECT_LT(counted_bytes, text.size() * 200);
}

}  // namespace
}  // namespace sightline::text
