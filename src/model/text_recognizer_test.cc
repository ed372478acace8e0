#include "model/text_recognizer.h"

#include <gtest/gtest.h>

#include <vector>

namespace sightline::model {
namespace {

/// One row a step with probability `p` at `index` of four classes.
std::vector<float> Steps(const std::vector<std::pair<std::size_t, float>>& steps) {
  std::vector<float> values;
  for (const auto& [index, p] : steps) {
    std::vector<float> row(4, (1 - p) / 3);
    row[index] = p;
    values.insert(values.end(), row.begin(), row.end());
  }
  return values;
}

const std::vector<std::string> kCharacters = {"a", "水", " "};

TEST(DecodeCtcTest, RepeatsAreOneCharacterUnlessABlankIsBetween) {
  const auto text =
      DecodeCtc(Steps({{1, .9F}, {1, .9F}, {0, .9F}, {1, .7F}, {2, .8F}}), 4, kCharacters);
  EXPECT_EQ(text.text, "aa水");
  EXPECT_NEAR(text.confidence, 0.8F, 1e-6);
}

TEST(DecodeCtcTest, OnlyBlanksAreNoTextWithoutConfidence) {
  const auto text = DecodeCtc(Steps({{0, .9F}, {0, .8F}}), 4, kCharacters);
  EXPECT_TRUE(text.text.empty());
  EXPECT_EQ(text.confidence, 0.0F);
}

TEST(DecodeCtcTest, AClassWithoutACharacterIsLeftOut) {
  EXPECT_EQ(DecodeCtc(Steps({{3, .9F}, {1, .9F}}), 4, std::vector<std::string>{"a"}).text, "a");
}

TEST(DecodeCtcTest, AnIncompleteLastStepIsNotRead) {
  std::vector<float> values = Steps({{1, .9F}});
  values.push_back(1.0F);
  EXPECT_EQ(DecodeCtc(values, 4, kCharacters).text, "a");
}

}  // namespace
}  // namespace sightline::model
