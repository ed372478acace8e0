#include "model/language_means.h"

#include <gtest/gtest.h>

#include <cstring>
#include <string>

namespace sightline::model {
namespace {

void AppendU32(std::string* bytes, std::uint32_t value) {
  for (int i = 0; i < 4; ++i) *bytes += static_cast<char>(value >> (8 * i));
}

std::string Header(std::uint32_t dims, std::uint32_t rows) {
  std::string bytes = "SLMV";
  AppendU32(&bytes, 1);
  AppendU32(&bytes, dims);
  AppendU32(&bytes, rows);
  return bytes + std::string(32, 's');
}

std::string Row(const char* language, const char* kind, float first, float second) {
  std::string bytes(language, 2);
  bytes += std::string(2, '\0');
  bytes += (std::string(kind) + std::string(4, '\0')).substr(0, 4);
  const float values[] = {first, second};
  bytes.append(reinterpret_cast<const char*>(values), sizeof(values));
  return bytes;
}

std::string File() {
  return Header(2, 4) + Row("zh", "pool", 1, 2) + Row("zh", "tok", 3, 4) + Row("en", "pool", 5, 6) +
         Row("en", "tok", 7, 8);
}

TEST(LanguageMeansTest, EachLanguageHasItsMeanAndOthersTheMiddle) {
  const auto means = LanguageMeans::Parse(File(), 2);
  ASSERT_TRUE(means.ok()) << means.status().ToString();
  EXPECT_EQ(means->sentence(text::Language::kChinese)[1], 2);
  EXPECT_EQ(means->token(text::Language::kChinese)[0], 3);
  EXPECT_EQ(means->sentence(text::Language::kEnglish)[0], 5);
  EXPECT_EQ(means->token(text::Language::kEnglish)[1], 8);
  EXPECT_EQ(means->sentence(text::Language::kOther)[0], 3);
}

TEST(LanguageMeansTest, EveryShorterFileAndOtherSizesAreRefused) {
  const std::string file = File();
  for (std::size_t size = 0; size < file.size(); ++size) {
    EXPECT_EQ(LanguageMeans::Parse(file.substr(0, size), 2).status().code(),
              base::StatusCode::kDataLoss);
  }
  EXPECT_FALSE(LanguageMeans::Parse(file, 3).ok());
  EXPECT_FALSE(LanguageMeans::Parse(Header(2, 0xFFFFFFFF) + "x", 2).ok());
  EXPECT_FALSE(
      LanguageMeans::Parse(Header(2, 2) + Row("zh", "pool", 1, 2) + Row("zh", "tok", 3, 4), 2)
          .ok());
}

}  // namespace
}  // namespace sightline::model
