// The tokenizers against the ids of the reference implementations (tests/golden/*.jsonl), with the
// real vocabularies. Skips where a vocabulary is not installed; the golden files themselves must
// be.
#include <gtest/gtest.h>

#include <boost/json.hpp>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <string>
#include <vector>

#include "text/bpe_tokenizer.h"
#include "text/unigram_tokenizer.h"
#include "text/wordpiece_tokenizer.h"

namespace sightline::text {
namespace {

std::filesystem::path ModelFolder(const std::string& name) {
  const char* cache = std::getenv("XDG_CACHE_HOME");
  const char* home = std::getenv("HOME");
  const std::filesystem::path root =
      cache != nullptr && *cache != '\0'
          ? std::filesystem::path(cache)
          : std::filesystem::path(home == nullptr ? "" : home) / ".cache";
  return root / "sightline" / "models" / name;
}

std::vector<int32_t> IdsOf(const boost::json::value& row) {
  std::vector<int32_t> ids;
  for (const boost::json::value& id : row.at("ids").as_array()) {
    ids.push_back(static_cast<int32_t>(id.as_int64()));
  }
  return ids;
}

/// Compares every row of a golden file; returns how many there were.
size_t CompareAll(const Tokenizer& tokenizer, const std::string& golden, size_t limit) {
  std::ifstream file(golden);
  EXPECT_TRUE(file.is_open()) << "run in the root of the repository: " << golden;
  size_t compared = 0;
  for (std::string line; std::getline(file, line);) {
    const boost::json::value row = boost::json::parse(line);
    const std::string text(row.at("text").as_string().c_str(), row.at("text").as_string().size());
    const base::Result<std::vector<int32_t>> ids = tokenizer.Encode(text, limit);
    EXPECT_TRUE(ids.ok());
    if (ids.ok()) {
      EXPECT_EQ(*ids, IdsOf(row)) << "text: " << text;
    }
    ++compared;
  }
  return compared;
}

TEST(GoldenTokens, E5AgreesWithTheReference) {
  const std::filesystem::path path = ModelFolder("e5-small") / "tokenizer.bin";
  if (!std::filesystem::exists(path)) GTEST_SKIP() << "not installed: " << path;
  auto tokenizer = UnigramTokenizer::Load(path.string());
  ASSERT_TRUE(tokenizer.ok()) << tokenizer.status().ToString();
  EXPECT_GE(CompareAll(**tokenizer, "tests/golden/e5_tokens.jsonl", 512), 200U);
}

void BertAgrees(const std::string& model, const std::string& golden) {
  const std::filesystem::path path = ModelFolder(model) / "tokenizer.json";
  if (!std::filesystem::exists(path)) GTEST_SKIP() << "not installed: " << path;
  auto tokenizer = WordPieceTokenizer::Load(path.string());
  ASSERT_TRUE(tokenizer.ok()) << tokenizer.status().ToString();
  EXPECT_GE(CompareAll(**tokenizer, golden, 512), 200U);
}

TEST(GoldenTokens, ChineseBertAgreesWithTheReference) {
  BertAgrees("bge-small-zh", "tests/golden/bge_zh_tokens.jsonl");
}

TEST(GoldenTokens, EnglishBertAgreesWithTheReference) {
  BertAgrees("bge-small-en", "tests/golden/bge_en_tokens.jsonl");
}

TEST(GoldenTokens, ClipAgreesWithTheReference) {
  const std::filesystem::path folder = ModelFolder("clip-bpe");
  if (!std::filesystem::exists(folder / "vocab.json")) GTEST_SKIP() << "not installed: " << folder;
  auto tokenizer =
      BpeTokenizer::Load((folder / "vocab.json").string(), (folder / "merges.txt").string());
  ASSERT_TRUE(tokenizer.ok()) << tokenizer.status().ToString();
  EXPECT_GE(CompareAll(**tokenizer, "tests/golden/clip_tokens.jsonl", 77), 200U);
}

}  // namespace
}  // namespace sightline::text
