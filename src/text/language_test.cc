#include "text/language.h"

#include <gtest/gtest.h>

#include <string>

namespace sightline::text {
namespace {

TEST(Language, IsToldByScript) {
  EXPECT_EQ(DetectLanguage("How to configure the printer"), Language::kEnglish);
  EXPECT_EQ(DetectLanguage("如何配置打印机"), Language::kChinese);
  EXPECT_EQ(DetectLanguage("資料庫設計"), Language::kChinese);
  EXPECT_EQ(DetectLanguage("これは日本語です"), Language::kOther);
  EXPECT_EQ(DetectLanguage("한국어 문장입니다"), Language::kOther);
  EXPECT_EQ(DetectLanguage("Это русский текст"), Language::kOther);
  EXPECT_EQ(DetectLanguage("مرحبا بالعالم"), Language::kOther);
}

TEST(Language, AChinesePageWithEnglishIdentifiersIsChinese) {
  EXPECT_EQ(DetectLanguage("使用 systemctl restart NetworkManager.service 重新启动网络管理服务"),
            Language::kChinese);
  EXPECT_EQ(
      DetectLanguage("The term 视线 means line of sight; it names the program in this manual."),
      Language::kEnglish);
}

TEST(Language, AChinesePageThatQuotesKanaIsChinese) {
  EXPECT_EQ(DetectLanguage("日语的助词「の」表示所属关系，相当于汉语中的结构助词，用法也十分接近"),
            Language::kChinese);
}

TEST(Language, NothingToTellByIsOther) {
  EXPECT_EQ(DetectLanguage(""), Language::kOther);
  EXPECT_EQ(DetectLanguage("12345 --- 👍"), Language::kOther);
  EXPECT_EQ(DetectLanguage("\xff\xfe\x80"), Language::kOther);
}

TEST(Language, LooksAtABoundedHead) {
  EXPECT_EQ(DetectLanguage(std::string(size_t{1} << 17, 'a') + "中文"), Language::kEnglish);
}

TEST(Language, CodesGoBothWays) {
  for (const Language language : {Language::kChinese, Language::kEnglish, Language::kOther}) {
    EXPECT_EQ(LanguageFromCode(LanguageCode(language)), language);
  }
  EXPECT_EQ(LanguageFromCode("fr"), Language::kOther);
}

}  // namespace
}  // namespace sightline::text
