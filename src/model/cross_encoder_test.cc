#include "model/cross_encoder.h"

#include <gtest/gtest.h>

#include <string>
#include <vector>

namespace sightline::model {
namespace {

// tests/golden/make_reranker_fixture.py: the score is the sum of the text's ids, its end token
// included, plus the number of all tokens / 1000. Ids: [SEP] 3, water 4, pump 5, ##s 6, filter 7,
// 水 8, 泵 9, 过 10, 滤 11, 网 12.
std::unique_ptr<Reranker> Open(std::size_t max_tokens = 512) {
  CrossEncoderOptions options;
  options.folder = "tests/golden/tiny_reranker";
  options.max_tokens = max_tokens;
  options.max_query_tokens = 6;
  auto opened = OpenCrossEncoder(options, io::PosixFileSystem());
  EXPECT_TRUE(opened.ok()) << opened.status().ToString();
  return opened.ok() ? *std::move(opened) : nullptr;
}

TEST(CrossEncoderTest, EveryTextIsReadBehindTheQuestionWithItsOwnType) {
  const auto reranker = Open();
  const std::vector<std::string> texts = {
      "过滤网", "pumps filter water", "", "水泵", "filter", "water", "pump", "过", "滤", "网"};
  // The question is [CLS] 水 泵 [SEP]: 4 tokens.
  const auto scores = reranker->Score("水泵", texts, {});
  ASSERT_TRUE(scores.ok()) << scores.status().ToString();
  const std::vector<float> expected = {36.008F, 25.009F, 3.005F,  20.007F, 10.006F,
                                       7.006F,  8.006F,  13.006F, 14.006F, 15.006F};
  ASSERT_EQ(scores->size(), expected.size());
  for (std::size_t i = 0; i < expected.size(); ++i) EXPECT_NEAR((*scores)[i], expected[i], 1e-4);
}

TEST(CrossEncoderTest, LongQuestionsAndTextsAreCutAtTheirEnd) {
  const auto reranker = Open(10);
  const std::vector<std::string> texts = {"water water water water water water water"};
  // 6 tokens of the question, then 3 of the text and its end.
  const auto scores = reranker->Score("pump pump pump pump pump pump", texts, {});
  ASSERT_TRUE(scores.ok()) << scores.status().ToString();
  EXPECT_NEAR((*scores)[0], 15.010F, 1e-4);
}

TEST(CrossEncoderTest, AFolderWithoutAModelAndSillyLimitsAreRefused) {
  CrossEncoderOptions options;
  options.folder = "tests/golden";
  EXPECT_EQ(OpenCrossEncoder(options, io::PosixFileSystem()).status().code(),
            base::StatusCode::kNotFound);
  options.max_query_tokens = 512;
  EXPECT_EQ(OpenCrossEncoder(options, io::PosixFileSystem()).status().code(),
            base::StatusCode::kInvalidArgument);
}

}  // namespace
}  // namespace sightline::model
