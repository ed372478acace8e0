#include "model/model_store.h"

#include <gtest/gtest.h>

#include <memory>
#include <string>

#include "base/digest.h"
#include "io/memory_file_system.h"

namespace sightline::model {
namespace {

constexpr char kModelPath[] = "/cache/models/tiny/model.onnx";

class ModelStoreTest : public testing::Test {
 protected:
  void SetUp() override {
    Write(kModelPath, content_);
    Write("/registry.toml",
          "schema = 1\n[[model]]\nname = \"tiny\"\nkind = \"text\"\nfile = [{ name = "
          "\"model.onnx\", sha256 = \"" +
              base::Sha256Hex(content_) + "\", size_bytes = " + std::to_string(content_.size()) +
              " }]\n");
  }

  void Write(const std::string& path, const std::string& content) {
    ASSERT_TRUE(files_.CreateDirectories(io::ParentPath(path)).ok());
    ASSERT_TRUE(files_.WriteFileAtomically(path, content).ok());
  }

  base::Status Locate(VerifyMode mode = VerifyMode::kTrustStamp) {
    const auto store = ModelStore::Open(files_, "/cache", "/registry.toml");
    if (!store.ok()) return store.status();
    const auto entry = store->Find("tiny");
    if (!entry.ok()) return entry.status();
    return store->Locate(**entry, "model.onnx", mode).status();
  }

  io::MemoryFileSystem files_;
  const std::string content_ = std::string(3 << 20, 'w');
};

TEST_F(ModelStoreTest, AModelAsPublishedIsFoundAndStamped) {
  EXPECT_TRUE(Locate().ok());
  EXPECT_TRUE(*files_.Exists("/cache/models/tiny/.verified"));
  EXPECT_TRUE(Locate().ok());
}

TEST_F(ModelStoreTest, OneFlippedBitIsFoundBothWays) {
  ASSERT_TRUE(Locate().ok());
  std::string damaged = content_;
  damaged[2'000'000] = static_cast<char>(damaged[2'000'000] ^ 1);
  Write(kModelPath, damaged);
  EXPECT_EQ(Locate(VerifyMode::kFull).code(), base::StatusCode::kDataLoss);
  // The stamp does not cover a file that was written since.
  EXPECT_EQ(Locate(VerifyMode::kTrustStamp).code(), base::StatusCode::kDataLoss);
}

TEST_F(ModelStoreTest, AnotherSizeIsDamageAndNoFileIsMissing) {
  Write(kModelPath, content_ + "x");
  EXPECT_EQ(Locate().code(), base::StatusCode::kDataLoss);
  ASSERT_TRUE(files_.RemoveFile(kModelPath).ok());
  const base::Status missing = Locate();
  EXPECT_EQ(missing.code(), base::StatusCode::kNotFound);
  EXPECT_NE(missing.message().find("models pull"), std::string::npos);
  const auto store = ModelStore::Open(files_, "/cache", "/registry.toml");
  ASSERT_TRUE(store.ok());
  EXPECT_EQ(store->List(VerifyMode::kFull, {})[0].state, ModelState::kMissing);
}

TEST_F(ModelStoreTest, ADamagedStampOnlyCostsANewCheck) {
  Write("/cache/models/tiny/.verified", "rubbish\nmore 1 x y\n");
  EXPECT_TRUE(Locate().ok());
}

TEST_F(ModelStoreTest, AnUnknownNameSaysWhatThereIs) {
  const auto store = ModelStore::Open(files_, "/cache", "/registry.toml");
  ASSERT_TRUE(store.ok());
  const auto entry = store->Find("nope");
  EXPECT_EQ(entry.status().code(), base::StatusCode::kNotFound);
  EXPECT_NE(entry.status().message().find("tiny"), std::string::npos);
}

TEST_F(ModelStoreTest, APulledModelIsListedButCannotReplaceOneOfTheRegistry) {
  ModelEntry entry;
  entry.name = "org--clip";
  entry.kind = "dual";
  entry.files = {{"config.json", base::Sha256Hex("{}"), 2}};
  Write("/cache/models/org--clip/model.toml", FormatRegistry(entry));
  Write("/cache/models/org--clip/config.json", "{}");
  entry.name = "tiny";
  Write("/cache/models/tiny/model.toml", FormatRegistry(entry));
  const auto store = ModelStore::Open(files_, "/cache", "/registry.toml");
  ASSERT_TRUE(store.ok()) << store.status().ToString();
  ASSERT_EQ(store->models().size(), 2U);
  const auto pulled = store->Find("org--clip");
  ASSERT_TRUE(pulled.ok());
  EXPECT_TRUE(store->Verify(**pulled, VerifyMode::kFull, {}).ok());
  EXPECT_EQ((*store->Find("tiny"))->kind, "text");
}

}  // namespace
}  // namespace sightline::model
