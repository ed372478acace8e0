#include "model/speech_activity.h"

#include <gtest/gtest.h>

#include <cmath>
#include <random>

namespace sightline::model {
namespace {

constexpr std::size_t kSecond = kSpeechSampleRate;

/// A tone whose loudness rises and falls four times a second, as syllables do.
void AddSyllables(std::vector<float>* samples, std::size_t begin, std::size_t end, float volume) {
  for (std::size_t i = begin; i < end; ++i) {
    const double t = static_cast<double>(i) / kSecond;
    const double syllable = std::pow(std::sin(3.14159 * 4 * t), 2);
    (*samples)[i] += volume * static_cast<float>(syllable * std::sin(2 * 3.14159 * 220 * t));
  }
}

void AddNoise(std::vector<float>* samples, float volume) {
  std::mt19937 random(7);
  std::normal_distribution<float> normal(0, volume);
  for (float& sample : *samples) sample += normal(random);
}

TEST(SpeechActivityTest, SilenceNoiseAndHumAreNotSpeech) {
  EXPECT_TRUE(FindSpeechActivity({}).empty());
  EXPECT_TRUE(FindSpeechActivity(std::vector<float>(10 * kSecond, 0.0F)).empty());
  for (const float volume : {0.001F, 0.02F, 0.2F}) {
    std::vector<float> noise(10 * kSecond, 0.0F);
    AddNoise(&noise, volume);
    EXPECT_TRUE(FindSpeechActivity(noise).empty()) << volume;
  }
  std::vector<float> hum(10 * kSecond);
  for (std::size_t i = 0; i < hum.size(); ++i) {
    hum[i] = 0.3F * std::sin(0.02F * static_cast<float>(i));
  }
  EXPECT_TRUE(FindSpeechActivity(hum).empty());
}

TEST(SpeechActivityTest, SyllablesAreFoundWithinAFifthOfASecond) {
  std::vector<float> sound(10 * kSecond, 0.0F);
  AddNoise(&sound, 0.002F);
  AddSyllables(&sound, 3 * kSecond, 5 * kSecond, 0.3F);
  const auto ranges = FindSpeechActivity(sound);
  ASSERT_EQ(ranges.size(), 1U);
  EXPECT_NEAR(static_cast<double>(ranges[0].begin), 3.0 * kSecond, 0.3 * kSecond);
  EXPECT_NEAR(static_cast<double>(ranges[0].end), 5.0 * kSecond, 0.3 * kSecond);
  EXPECT_LT(ranges[0].begin, 3 * kSecond + kSecond / 10);
}

TEST(SpeechActivityTest, TimesOfTheCondensedSoundLeadBackToTheOriginal) {
  const std::vector<float> sound(20 * kSecond, 0.0F);
  const std::vector<SampleRange> ranges = {{2 * kSecond, 3 * kSecond},
                                           {10 * kSecond, 12 * kSecond}};
  const CondensedSound condensed(sound, ranges);
  EXPECT_EQ(condensed.samples().size(), 3 * kSecond + kSecond * 3 / 10);
  using Edge = CondensedSound::Edge;
  EXPECT_EQ(condensed.OriginalMs(0, Edge::kStart), 2000);
  EXPECT_EQ(condensed.OriginalMs(400, Edge::kStart), 2400);
  EXPECT_EQ(condensed.OriginalMs(1000, Edge::kEnd), 3000);
  EXPECT_EQ(condensed.OriginalMs(1200, Edge::kEnd), 3000);  // inside the shortened silence
  EXPECT_EQ(condensed.OriginalMs(1200, Edge::kStart), 10'000);
  EXPECT_EQ(condensed.OriginalMs(1300, Edge::kStart), 10'000);
  EXPECT_EQ(condensed.OriginalMs(2300, Edge::kEnd), 11'000);
  EXPECT_EQ(condensed.OriginalMs(99'000, Edge::kEnd), 12'000);
}

}  // namespace
}  // namespace sightline::model
