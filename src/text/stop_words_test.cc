#include "text/stop_words.h"

#include <gtest/gtest.h>

namespace sightline::text {
namespace {

TEST(StopWords, FirstAndLastOfEachListAreFound) {
  // Binary search finds the ends only while the lists stay in byte order.
  for (const char* word : {"a", "an", "and", "for", "how", "the", "what", "your", "yours", "一个",
                           "什么", "的", "等", "被", "如何", "怎么"}) {
    EXPECT_TRUE(IsStopWord(word)) << word;
  }
}

TEST(StopWords, WordsThatTellSomethingStay) {
  for (const char* word : {"", "printer", "安装", "not", "no", "不", "1"}) {
    EXPECT_FALSE(IsStopWord(word)) << word;
  }
}

}  // namespace
}  // namespace sightline::text
