#include "model/speech_text.h"

#include <gtest/gtest.h>

namespace sightline::model {
namespace {

SpeechCandidate Spoken(std::string text, std::int64_t duration_ms) {
  return {std::move(text), duration_ms, 0.1F, -0.3F};
}

TEST(SpeechTextTest, DescriptionsOfSoundsAreNotSpeech) {
  EXPECT_EQ(CleanSpeechText(" [BLANK_AUDIO] "), "");
  EXPECT_EQ(CleanSpeechText("(music) open the lid ♪"), "open the lid");
  EXPECT_EQ(CleanSpeechText("（音乐）打开盖子"), "打开盖子");
  EXPECT_EQ(CleanSpeechText("*coughs*"), "");
  EXPECT_EQ(CleanSpeechText("an open (bracket"), "an open (bracket");
}

TEST(SpeechTextTest, OrdinarySentencesArePlausible) {
  EXPECT_TRUE(IsPlausibleSpeech(Spoken("Now we open the lid and pour the water.", 2500)));
  EXPECT_TRUE(IsPlausibleSpeech(Spoken("现在我们打开盖子，把水倒进去。", 2500)));
  EXPECT_TRUE(IsPlausibleSpeech(Spoken("好", 300)));
}

TEST(SpeechTextTest, InventionsAreNot) {
  EXPECT_FALSE(IsPlausibleSpeech(Spoken("", 1000)));
  EXPECT_FALSE(IsPlausibleSpeech(Spoken(" . . .", 1000)));
  EXPECT_FALSE(IsPlausibleSpeech(
      Spoken("thank you thank you thank you thank you thank you thank you", 20'000)));
  EXPECT_FALSE(IsPlausibleSpeech(Spoken("谢谢大家谢谢大家谢谢大家谢谢大家谢谢大家", 20'000)));
  EXPECT_FALSE(IsPlausibleSpeech(
      Spoken("Nobody says a sentence as long as this one within a fifth of a second.", 200)));
  SpeechCandidate candidate = Spoken("Thanks for watching!", 2000);
  candidate.no_speech_probability = 0.9F;
  candidate.mean_log_probability = -1.2F;
  EXPECT_FALSE(IsPlausibleSpeech(candidate));
  candidate.no_speech_probability = 0.1F;
  EXPECT_TRUE(IsPlausibleSpeech(candidate));
  candidate.mean_log_probability = -2.0F;
  EXPECT_FALSE(IsPlausibleSpeech(candidate));
}

TEST(SpeechTextTest, ASentenceThatLoopsIsRemovedAndOneSaidTwiceStays) {
  std::vector<SpeechSegment> segments;
  for (const char* text : {"打开盖子", "water", "water", "water", "yes", "yes", "倒水"}) {
    segments.push_back({0, 1000, text, "en"});
  }
  RemoveLoops(&segments);
  ASSERT_EQ(segments.size(), 4U);
  EXPECT_EQ(segments[0].text, "打开盖子");
  EXPECT_EQ(segments[1].text, "yes");
  EXPECT_EQ(segments[3].text, "倒水");
}

}  // namespace
}  // namespace sightline::model
