#include "text/wordpiece_tokenizer.h"

#include <gtest/gtest.h>

#include <string>
#include <vector>

namespace sightline::text {
namespace {

constexpr std::string_view kJson = R"({
  "version": "1.0",
  "normalizer": {"type": "BertNormalizer", "clean_text": true, "handle_chinese_chars": true,
                 "strip_accents": null, "lowercase": true},
  "model": {"type": "WordPiece", "unk_token": "[UNK]", "continuing_subword_prefix": "##",
            "max_input_chars_per_word": 10,
            "vocab": {"[PAD]": 0, "[UNK]": 1, "[CLS]": 2, "[SEP]": 3, "play": 4, "##ing": 5,
                      "##ed": 6, "数": 7, "据": 8, ",": 9, "cafe": 10, "[": 11, "]": 12,
                      "sep": 13, "a": 14, "##a": 15}}})";

using Ids = std::vector<int32_t>;

class WordPiece : public ::testing::Test {
 protected:
  void SetUp() override {
    auto made = WordPieceTokenizer::FromJson(kJson);
    ASSERT_TRUE(made.ok()) << made.status().ToString();
    tokenizer_ = *std::move(made);
  }
  Ids Encode(std::string_view text, size_t limit = 64) const {
    auto ids = tokenizer_->Encode(text, limit);
    EXPECT_TRUE(ids.ok());
    return ids.ok() ? *ids : Ids();
  }
  std::unique_ptr<WordPieceTokenizer> tokenizer_;
};

TEST_F(WordPiece, TakesTheLongestPieces) {
  EXPECT_EQ(Encode("Playing played, PLAY"), (Ids{2, 4, 5, 4, 6, 9, 4, 3}));
  EXPECT_EQ(Encode("数据playing"), (Ids{2, 7, 8, 4, 5, 3}));
}

TEST_F(WordPiece, AccentsAndCaseGo) {
  EXPECT_EQ(Encode("Café CAFE\u0301"), (Ids{2, 10, 10, 3}));
  EXPECT_EQ(Encode("caf\u00ade\u200b"), (Ids{2, 10, 3}));
}

TEST_F(WordPiece, WhatIsNotInTheVocabularyIsOneUnknown) {
  EXPECT_EQ(Encode("playxyz 图"), (Ids{2, 1, 1, 3}));
  EXPECT_EQ(Encode("aaaaaaaaaa"), (Ids{2, 14, 15, 15, 15, 15, 15, 15, 15, 15, 15, 3}));
  EXPECT_EQ(Encode("aaaaaaaaaaa"), (Ids{2, 1, 3}));  // one code point over the limit of a word
}

TEST_F(WordPiece, SpecialTokensInTextAreText) {
  EXPECT_EQ(Encode("[SEP]"), (Ids{2, 11, 13, 12, 3}));
}

TEST_F(WordPiece, ContentIsCutAndCounted) {
  EXPECT_EQ(Encode("play play play", 4), (Ids{2, 4, 4, 3}));
  EXPECT_EQ(tokenizer_->CountTokens("play play play"), 5U);
  EXPECT_FALSE(tokenizer_->Encode("play", 1).ok());
  EXPECT_EQ(Encode(""), (Ids{2, 3}));
}

TEST_F(WordPiece, HostileTextIsBounded) {
  EXPECT_EQ(Encode(std::string(size_t{8} << 20, 'a')), (Ids{2, 1, 3}));
  EXPECT_EQ(Encode("play\xff\xfeplay"), (Ids{2, 4, 4, 3}));
}

TEST(WordPieceJson, DamagedFilesAreRefused) {
  for (const std::string_view json :
       {std::string_view(""), std::string_view("[]"), std::string_view("{"),
        std::string_view(R"({"model": {"type": "BPE", "vocab": {}}})"),
        std::string_view(R"({"model": {"type": "WordPiece", "vocab": {"a": 0}}})"),
        std::string_view(R"({"model": {"type": "WordPiece", "vocab": {"a": -1}}})"),
        std::string_view(
            R"({"normalizer": {"type": "Lowercase"}, "model": {"vocab": {"a": 1}}})")}) {
    EXPECT_EQ(WordPieceTokenizer::FromJson(json).status().code(), base::StatusCode::kDataLoss)
        << json;
  }
  for (size_t size = 0; size < kJson.size(); ++size) {
    EXPECT_FALSE(WordPieceTokenizer::FromJson(kJson.substr(0, size)).ok());
  }
}

}  // namespace
}  // namespace sightline::text
