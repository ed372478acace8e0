#include "text/bpe_tokenizer.h"

#include <gtest/gtest.h>

#include <boost/json.hpp>
#include <string>
#include <vector>

#include "text/term_letters.h"

namespace sightline::text {
namespace {

/// The 512 byte symbols, two merges and the special tokens: CLIP's layout in small.
std::string SmallVocabulary() {
  boost::json::object vocabulary;
  int64_t id = 0;
  char32_t next = 0x100;
  std::vector<std::string> names;
  for (char32_t byte = 0; byte < 256; ++byte) {
    const bool printable =
        (byte >= 33 && byte <= 126) || (byte >= 161 && byte <= 172) || (byte >= 174 && byte <= 255);
    const char32_t name = printable ? byte : next++;
    std::string text;
    AppendUtf8({&name, 1}, &text);
    names.push_back(text);
  }
  for (const std::string& name : names) vocabulary[name] = id++;           // 0..255: the byte
  for (const std::string& name : names) vocabulary[name + "</w>"] = id++;  // 256..511
  for (const char* merged : {"ca", "cat</w>", "<|startoftext|>", "<|endoftext|>"}) {
    vocabulary[merged] = id++;  // 512, 513, 514, 515
  }
  return boost::json::serialize(vocabulary);
}
constexpr std::string_view kMerges = "#version: 0.2\nc a\nca t</w>\n";

using Ids = std::vector<int32_t>;

class Bpe : public ::testing::Test {
 protected:
  void SetUp() override {
    auto made = BpeTokenizer::FromText(SmallVocabulary(), kMerges);
    ASSERT_TRUE(made.ok()) << made.status().ToString();
    tokenizer_ = *std::move(made);
  }
  Ids Encode(std::string_view text, size_t limit = 77) const {
    auto ids = tokenizer_->Encode(text, limit);
    EXPECT_TRUE(ids.ok());
    return ids.ok() ? *ids : Ids();
  }
  std::unique_ptr<BpeTokenizer> tokenizer_;
};

TEST_F(Bpe, MergesByRank) {
  EXPECT_EQ(Encode("Cat CATS"), (Ids{514, 513, 512, 't', 's' + 256, 515}));
  EXPECT_EQ(Encode(""), (Ids{514, 515}));
}

TEST_F(Bpe, WordsFollowThePattern) {
  EXPECT_EQ(Encode("it's"), (Ids{514, 'i', 't' + 256, '\'', 's' + 256, 515}));
  EXPECT_EQ(Encode("12"), (Ids{514, '1' + 256, '2' + 256, 515}));  // each digit by itself
  EXPECT_EQ(Encode("a!?"), (Ids{514, 'a' + 256, '!', '?' + 256, 515}));
}

TEST_F(Bpe, ChineseIsBytes) { EXPECT_EQ(Encode("猫"), (Ids{514, 0xE7, 0x8C, 0xAB + 256, 515})); }

TEST_F(Bpe, SpecialTokensInTextAreText) {
  const Ids ids = Encode("<|endoftext|>");
  for (size_t i = 1; i + 1 < ids.size(); ++i) EXPECT_LT(ids[i], 512);
}

TEST_F(Bpe, ContentIsCutAndCounted) {
  EXPECT_EQ(Encode("cat cat cat", 4), (Ids{514, 513, 513, 515}));
  EXPECT_EQ(tokenizer_->CountTokens("cat cat cat"), 5U);
  EXPECT_FALSE(tokenizer_->Encode("cat", 0).ok());
  EXPECT_EQ(tokenizer_->PadId(), 515);
}

TEST_F(Bpe, HostileTextIsBounded) {
  EXPECT_EQ(Encode(std::string(size_t{8} << 20, 'c')).size(), 77U);
  EXPECT_EQ(tokenizer_->CountTokens(std::string(size_t{1} << 20, 'x')), (size_t{1} << 20) + 2);
  EXPECT_EQ(Encode("cat\xff\xfe"
                   "cat"),
            (Ids{514, 513, 513, 515}));
}

TEST(BpeFiles, DamagedFilesAreRefused) {
  const std::string vocabulary = SmallVocabulary();
  for (const std::string_view json : {"", "[]", "{", "{}", R"({"a": "b"})"}) {
    EXPECT_EQ(BpeTokenizer::FromText(json, kMerges).status().code(), base::StatusCode::kDataLoss);
  }
  EXPECT_FALSE(BpeTokenizer::FromText(vocabulary, "#version\nnopair\n").ok());
  EXPECT_FALSE(BpeTokenizer::FromText(vocabulary, "q q\n").ok());
}

}  // namespace
}  // namespace sightline::text
