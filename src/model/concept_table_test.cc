#include "model/concept_table.h"

#include <gtest/gtest.h>

#include "io/memory_file_system.h"
#include "model/fake_models.h"

namespace sightline::model {
namespace {

class CountingEncoder final : public TextEncoder {
 public:
  const EmbeddingSpace& sentence_space() const override { return fake_.sentence_space(); }
  const EmbeddingSpace& token_space() const override { return fake_.token_space(); }
  std::size_t max_tokens() const override { return fake_.max_tokens(); }
  std::size_t CountTokens(std::string_view text) const override { return fake_.CountTokens(text); }
  base::Result<std::vector<TextEmbedding>> Encode(std::span<const TextInput> inputs,
                                                  const base::CancelToken& cancel) override {
    encoded += inputs.size();
    return fake_.Encode(inputs, cancel);
  }
  std::size_t encoded = 0;

 private:
  FakeTextEncoder fake_;
};

class ConceptTableTest : public testing::Test {
 protected:
  ConceptTableTest() {
    EXPECT_TRUE(files_.CreateDirectories("/model").ok());
    EXPECT_TRUE(files_.WriteFileAtomically("/model/classes.txt", "cat\ndog\nlemon\n").ok());
    options_ = {"/model/classes.txt", "/cache/concepts", &files_};
  }

  io::MemoryFileSystem files_;
  ConceptTableOptions options_;
  CountingEncoder text_;
};

TEST_F(ConceptTableTest, NamesAreEncodedOnceAndReadFromTheCacheAfterwards) {
  const auto first = ConceptTable::Open(options_, text_, {});
  ASSERT_TRUE(first.ok()) << first.status().ToString();
  EXPECT_EQ(text_.encoded, 3U);
  const auto second = ConceptTable::Open(options_, text_, {});
  ASSERT_TRUE(second.ok());
  EXPECT_EQ(text_.encoded, 3U);
  const std::vector<float> probabilities = {0.7F, 0.2F, 0.1F};
  EXPECT_EQ((*first)->Combine(probabilities, 2), (*second)->Combine(probabilities, 2));
}

TEST_F(ConceptTableTest, ADamagedCacheIsMadeAnew) {
  ASSERT_TRUE(ConceptTable::Open(options_, text_, {}).ok());
  const auto names = files_.List("/cache/concepts");
  ASSERT_TRUE(names.ok());
  ASSERT_EQ(names->size(), 1U);
  const std::string path = "/cache/concepts/" + (*names)[0];
  std::string content = *files_.ReadFile(path, 1 << 20);
  content[content.size() / 2] = static_cast<char>(content[content.size() / 2] ^ 4);
  ASSERT_TRUE(files_.WriteFileAtomically(path, content).ok());
  ASSERT_TRUE(ConceptTable::Open(options_, text_, {}).ok());
  EXPECT_EQ(text_.encoded, 6U);
}

TEST_F(ConceptTableTest, TheMostProbableClassDecidesTheDirection) {
  const auto table = ConceptTable::Open(options_, text_, {});
  ASSERT_TRUE(table.ok());
  const auto dot = [](const std::vector<float>& a, const std::vector<float>& b) {
    float sum = 0;
    for (std::size_t i = 0; i < a.size(); ++i) sum += a[i] * b[i];
    return sum;
  };
  const auto mixed = (*table)->Combine(std::vector<float>{0.1F, 0.8F, 0.1F}, 3);
  const auto cat = (*table)->Combine(std::vector<float>{1, 0, 0}, 1);
  const auto dog = (*table)->Combine(std::vector<float>{0, 1, 0}, 1);
  EXPECT_NEAR(dot(mixed, mixed), 1, 1e-5);
  EXPECT_GT(dot(mixed, dog), dot(mixed, cat));
}

TEST(LargestIndicesTest, TiesGoByIndexAndACountTooLargeIsAll) {
  const std::vector<float> values = {1, 3, 3, 0};
  EXPECT_EQ(LargestIndices(values, 2), (std::vector<std::size_t>{1, 2}));
  EXPECT_EQ(LargestIndices(values, 9), (std::vector<std::size_t>{1, 2, 0, 3}));
}

}  // namespace
}  // namespace sightline::model
