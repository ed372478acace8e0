#include "answer/extractive_generator.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace sightline::answer {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::Not;

TEST(ExtractiveGeneratorTest, AnswersWithTheSentenceThatSharesMostAndCitesIt) {
  const std::vector<EvidencePassage> evidence = {
      {1, "The report has fifteen pages. Staff grew by nine."},
      {2, "Energy use fell. Revenue by region grew most in the north."}};
  const auto answer = ExtractiveGenerator().Generate("revenue by region", evidence, {});
  ASSERT_TRUE(answer.ok());
  EXPECT_EQ(answer->text, "Revenue by region grew most in the north. [2]");
  EXPECT_THAT(answer->citations, ElementsAre(2));
}

TEST(ExtractiveGeneratorTest, ChineseSentencesEndAtTheirOwnStops) {
  const std::vector<EvidencePassage> evidence = {
      {1, "量筒必须放平。读数时视线与凹液面最低处平齐。俯视读数偏大。"}};
  const auto answer = ExtractiveGenerator().Generate("量筒读数时视线", evidence, {});
  ASSERT_TRUE(answer.ok());
  EXPECT_THAT(answer->text, HasSubstr("视线与凹液面最低处平齐。 [1]"));
  EXPECT_THAT(answer->text, Not(HasSubstr("俯视")));
}

TEST(ExtractiveGeneratorTest, WithoutSharedTermsThereIsNoAnswer) {
  const std::vector<EvidencePassage> evidence = {{1, "Nothing of the kind."}};
  EXPECT_TRUE(ExtractiveGenerator().Generate("过滤", evidence, {})->text.empty());
  EXPECT_TRUE(ExtractiveGenerator().Generate("", evidence, {})->text.empty());
  EXPECT_TRUE(ExtractiveGenerator().Generate("x", {}, {})->citations.empty());
}

}  // namespace
}  // namespace sightline::answer
