#include "text/unigram_tokenizer.h"

#include <gtest/gtest.h>

#include <cstring>
#include <string>
#include <utility>
#include <vector>

namespace sightline::text {
namespace {

/// Writes a small `tokenizer.bin` (docs/format/e5-tokenizer.md).
class FileBuilder {
 public:
  FileBuilder& Piece(const std::string& piece, float score) {
    offsets_.push_back(offsets_.back() + static_cast<uint32_t>(piece.size()));
    scores_.push_back(score);
    blob_ += piece;
    return *this;
  }
  FileBuilder& Rule(uint32_t code_point, const std::vector<uint32_t>& right) {
    rules_.push_back(code_point);
    replacements_.insert(replacements_.end(), right.begin(), right.end());
    starts_.push_back(static_cast<uint32_t>(replacements_.size()));
    return *this;
  }
  std::string Build() {
    Piece("<mask>", 0);  // the last one is never matched
    std::string bytes;
    Put(&bytes, std::vector<uint32_t>{0x4B544C53, 1, static_cast<uint32_t>(scores_.size()),
                                      static_cast<uint32_t>(blob_.size()),
                                      static_cast<uint32_t>(rules_.size()),
                                      static_cast<uint32_t>(replacements_.size()), 0, 1, 2, 3});
    Put(&bytes, offsets_);
    Put(&bytes, scores_);
    Put(&bytes, rules_);
    Put(&bytes, starts_);
    Put(&bytes, replacements_);
    return bytes + blob_;
  }

 private:
  template <typename T>
  static void Put(std::string* bytes, const std::vector<T>& list) {
    if (list.empty()) return;
    std::string raw(list.size() * sizeof(T), '\0');
    std::memcpy(raw.data(), list.data(), raw.size());
    *bytes += raw;
  }

  std::vector<uint32_t> offsets_{0};
  std::vector<float> scores_;
  std::vector<uint32_t> rules_;
  std::vector<uint32_t> starts_{0};
  std::vector<uint32_t> replacements_;
  std::string blob_;
};

std::string SmallFile() {
  FileBuilder builder;
  builder.Piece("<s>", 0).Piece("<pad>", 0).Piece("</s>", 0).Piece("<unk>", 0);
  builder.Piece("▁", -3).Piece("▁a", -2).Piece("b", -2).Piece("ab", -1);          // 4 5 6 7
  builder.Piece("▁数据", -2).Piece("库", -2).Piece("▁数", -3).Piece("a", -2.5F);  // 8 9 10 11
  builder.Rule(0x9, {0x20}).Rule(0x200B, {}).Rule(0xFF41, {0x61});
  return builder.Build();
}

std::vector<int32_t> Ids(const Tokenizer& tokenizer, std::string_view text, size_t limit = 512) {
  base::Result<std::vector<int32_t>> ids = tokenizer.Encode(text, limit);
  EXPECT_TRUE(ids.ok()) << ids.status().ToString();
  return ids.ok() ? *ids : std::vector<int32_t>();
}

std::unique_ptr<UnigramTokenizer> Small() {
  base::Result<std::unique_ptr<UnigramTokenizer>> made = UnigramTokenizer::FromBytes(SmallFile());
  EXPECT_TRUE(made.ok()) << made.status().ToString();
  return made.ok() ? *std::move(made) : nullptr;
}

using Expected = std::vector<int32_t>;

TEST(UnigramTokenizer, TakesTheBestSegmentation) {
  const auto tokenizer = Small();
  ASSERT_NE(tokenizer, nullptr);
  EXPECT_EQ(Ids(*tokenizer, "ab"), (Expected{0, 4, 7, 2}));  // ties with ▁a b: reached first
  EXPECT_EQ(Ids(*tokenizer, "aab"), (Expected{0, 5, 7, 2}));
  EXPECT_EQ(Ids(*tokenizer, "数据库"), (Expected{0, 8, 9, 2}));
  EXPECT_EQ(Ids(*tokenizer, ""), (Expected{0, 2}));
}

TEST(UnigramTokenizer, SpacesAndRulesAreFolded) {
  const auto tokenizer = Small();
  ASSERT_NE(tokenizer, nullptr);
  EXPECT_EQ(Ids(*tokenizer, "  ab \t  数据 "), (Expected{0, 4, 7, 8, 2}));
  EXPECT_EQ(Ids(*tokenizer, "a\u200bb"), Ids(*tokenizer, "ab"));
  EXPECT_EQ(Ids(*tokenizer, "ａb"), Ids(*tokenizer, "ab"));
}

TEST(UnigramTokenizer, ARunOfUnknownsIsOneId) {
  const auto tokenizer = Small();
  ASSERT_NE(tokenizer, nullptr);
  EXPECT_EQ(Ids(*tokenizer, "xyz"), (Expected{0, 4, 3, 2}));
  EXPECT_EQ(Ids(*tokenizer, "x a"), (Expected{0, 4, 3, 5, 2}));
}

TEST(UnigramTokenizer, SpecialTokensInTextAreText) {
  const auto tokenizer = Small();
  ASSERT_NE(tokenizer, nullptr);
  for (const char* text : {"</s>", "<s>", "<mask>", "<pad>", "<unk>"}) {
    const Expected ids = Ids(*tokenizer, text);
    for (size_t i = 1; i + 1 < ids.size(); ++i) EXPECT_TRUE(ids[i] == 3 || ids[i] >= 4) << text;
    EXPECT_EQ(ids[ids.size() - 1], 2);
  }
}

TEST(UnigramTokenizer, ContentIsCutAtTheLimit) {
  const auto tokenizer = Small();
  ASSERT_NE(tokenizer, nullptr);
  const std::string text = "ab ab ab ab 数据库";
  const Expected all = Ids(*tokenizer, text);
  EXPECT_EQ(tokenizer->CountTokens(text), all.size());
  for (size_t limit = 2; limit <= all.size() + 1; ++limit) {
    Expected cut(all.begin(),
                 all.begin() + static_cast<std::ptrdiff_t>(std::min(limit, all.size()) - 1));
    cut.push_back(2);
    EXPECT_EQ(Ids(*tokenizer, text, limit), cut) << limit;
  }
  EXPECT_EQ(tokenizer->Encode(text, 1).status().code(), base::StatusCode::kInvalidArgument);
}

TEST(UnigramTokenizer, AnyBytesAreTaken) {
  const auto tokenizer = Small();
  ASSERT_NE(tokenizer, nullptr);
  EXPECT_EQ(Ids(*tokenizer, "ab\xff数据\xe4"), Ids(*tokenizer, "ab 数据 "));
  EXPECT_GE(Ids(*tokenizer, std::string_view("a\0b", 3)).size(), 2U);
}

TEST(UnigramTokenizer, LongTextWithoutSpacesIsLinear) {
  const auto tokenizer = Small();
  ASSERT_NE(tokenizer, nullptr);
  const std::string text(size_t{8} << 20, 'a');
  EXPECT_EQ(Ids(*tokenizer, text, 16).size(), 16U);
  EXPECT_GT(tokenizer->CountTokens(text), size_t{1} << 20);
}

TEST(UnigramTokenizer, EveryFlippedByteIsRefusedOrHarmless) {
  const std::string good = SmallFile();
  for (size_t i = 0; i < good.size(); ++i) {
    for (const unsigned bit : {0x01U, 0x80U}) {
      std::string bad = good;
      bad[i] = static_cast<char>(static_cast<unsigned>(bad[i]) ^ bit);
      auto loaded = UnigramTokenizer::FromBytes(std::move(bad));
      if (!loaded.ok()) {
        EXPECT_EQ(loaded.status().code(), base::StatusCode::kDataLoss);
        continue;
      }
      EXPECT_GE(Ids(**loaded, "ab 数据库 xyz \t ａ").size(), 2U);
    }
  }
}

TEST(UnigramTokenizer, EveryCutFileIsRefused) {
  const std::string good = SmallFile();
  for (size_t size = 0; size < good.size(); ++size) {
    EXPECT_EQ(UnigramTokenizer::FromBytes(good.substr(0, size)).status().code(),
              base::StatusCode::kDataLoss);
  }
  EXPECT_FALSE(UnigramTokenizer::FromBytes(good + "x").ok());
}

TEST(UnigramTokenizer, AMissingFileIsNamed) {
  const auto loaded = UnigramTokenizer::Load("/nonexistent/tokenizer.bin");
  EXPECT_EQ(loaded.status().code(), base::StatusCode::kNotFound);
  EXPECT_NE(loaded.status().message().find("/nonexistent/tokenizer.bin"), std::string::npos);
}

}  // namespace
}  // namespace sightline::text
