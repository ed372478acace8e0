// The engine over the embedded stores and the real decoder.
#include "engine/local_engine.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>

#include "io/memory_file_system.h"
#include "store/folder_blob_store.h"

namespace sightline::engine {
namespace {

namespace fs = std::filesystem;
using base::StatusCode;
using testing::HasSubstr;

class LocalEngineTest : public testing::Test {
 protected:
  LocalEngineTest()
      : folder_(fs::path(testing::TempDir()) / ("数据 engine " + std::to_string(getpid()))) {
    fs::remove_all(folder_);
    config_.data_dir = folder_.string();
    config_.decoder = SIGHTLINE_DECODE;
    config_.registry = "models/registry.toml";
  }
  ~LocalEngineTest() override { fs::remove_all(folder_); }

  std::unique_ptr<Engine> Open() {
    auto engine = Engine::Open(config_, Engine::Mode::kLookUp);
    EXPECT_TRUE(engine.ok()) << engine.status().ToString();
    return *std::move(engine);
  }

  /// With its blobs on a disk of `space_bytes`.
  std::unique_ptr<Engine> OpenOnDisk(std::uint64_t space_bytes) {
    disk_ = std::make_unique<io::MemoryFileSystem>(space_bytes);
    auto folder = DataFolder::Lock(io::PosixFileSystem(), config_.data_dir);
    auto components = OpenComponents(config_);
    EXPECT_TRUE(folder.ok() && components.ok());
    components->blobs = *store::FolderBlobStore::Open(*disk_, "/blobs");
    return std::make_unique<LocalEngine>(config_, *std::move(folder), *std::move(components),
                                         Engine::Mode::kLookUp);
  }

  static base::Result<AddedDocument> Add(Engine& engine, const std::string& name,
                                         const std::string& bytes) {
    AddOptions options;
    options.file_name = name;
    SIGHTLINE_ASSIGN_OR_RETURN(const auto upload, engine.BeginUpload(options));
    SIGHTLINE_RETURN_IF_ERROR(upload->Append(bytes));
    return upload->Finish();
  }

  static std::string AddSample(Engine& engine, const std::string& name) {
    const auto added = AddFile(engine, "samples/" + name, {});
    EXPECT_TRUE(added.ok()) << added.status().ToString();
    return added.ok() ? added->document.id : "";
  }

  const fs::path folder_;
  Config config_;
  std::unique_ptr<io::MemoryFileSystem> disk_;
};

TEST_F(LocalEngineTest, TemporaryFilesAreBelowTheDataFolderAndGoneAtTheNextStart) {
  const fs::path temporary = TemporaryFolder(config_.data_dir);
  EXPECT_EQ(temporary.parent_path(), folder_);
  {
    const auto engine = Open();
    ASSERT_TRUE(fs::is_directory(temporary));
    std::ofstream(temporary / "sightline-query-1") << "left behind";
    fs::create_directories(temporary / "图片");
  }
  const auto engine = Open();
  EXPECT_TRUE(fs::is_directory(temporary));
  EXPECT_TRUE(fs::is_empty(temporary));
}

TEST_F(LocalEngineTest, AFullDiskLosesNothingThatIsStoredAndTakesUploadsAgainLater) {
  const auto engine = OpenOnDisk(10'000);
  const auto old = Add(*engine, "旧.txt", std::string(4'000, 'o'));
  ASSERT_TRUE(old.ok()) << old.status().ToString();
  const auto refused = Add(*engine, "new.txt", std::string(8'000, 'n'));
  EXPECT_EQ(refused.status().code(), StatusCode::kStorageFull) << refused.status().ToString();
  EXPECT_EQ(engine->ReadBlob(old->document.blob_sha256, 0, 8'000)->size(), 4'000U);
  EXPECT_EQ(engine->ListDocuments({})->documents.size(), 1U);
  // What was refused takes no room: a smaller one fits.
  EXPECT_TRUE(Add(*engine, "小.txt", std::string(5'000, 's')).ok());
  ASSERT_TRUE(engine->RemoveDocument(old->document.id).ok());
  EXPECT_TRUE(Add(*engine, "again.txt", std::string(4'000, 'a')).ok());
}

TEST_F(LocalEngineTest, APageIsDrawnAsWideAsAsked) {
  const auto engine = Open();
  const std::string id = AddSample(*engine, "handbook-zh.pdf");
  std::size_t last_size = 0;
  for (const int width : {kMinPageWidthPx, 1000, kMaxPageWidthPx}) {
    const auto drawn = engine->DrawPage({id, 2, width}, {});
    ASSERT_TRUE(drawn.ok()) << drawn.status().ToString();
    EXPECT_EQ((*drawn)->width, width);
    EXPECT_EQ((*drawn)->bytes.substr(0, 3), "\xFF\xD8\xFF");
    EXPECT_GT((*drawn)->bytes.size(), last_size) << "more pixels show more";
    last_size = (*drawn)->bytes.size();
    const auto again = engine->DrawPage({id, 2, width}, {});
    ASSERT_TRUE(again.ok());
    EXPECT_EQ(again->get(), drawn->get()) << "kept, not drawn again";
  }
}

TEST_F(LocalEngineTest, APictureIsScaledDownAndNeverUp) {
  const auto engine = Open();
  const std::string id = AddSample(*engine, "scan-report-en.jpg");
  const auto small = engine->DrawPage({id, 1, 300}, {});
  ASSERT_TRUE(small.ok()) << small.status().ToString();
  EXPECT_EQ((*small)->width, 300);
  const auto large = engine->DrawPage({id, 1, kMaxPageWidthPx}, {});
  ASSERT_TRUE(large.ok()) << large.status().ToString();
  EXPECT_GT((*large)->width, 300);
  EXPECT_LT((*large)->width, kMaxPageWidthPx);
}

TEST_F(LocalEngineTest, WhatHasNoSuchPageIsNotFound) {
  const auto engine = Open();
  const std::string pdf = AddSample(*engine, "handbook-zh.pdf");
  const std::string picture = AddSample(*engine, "scan-report-en.jpg");
  const std::string text = Add(*engine, "文.txt", "无页")->document.id;
  const std::string broken = Add(*engine, "坏.pdf", "%PDF-1.7 nothing")->document.id;
  for (const PageRequest& request :
       {PageRequest{pdf, 999, 800}, PageRequest{picture, 2, 800}, PageRequest{text, 1, 800},
        PageRequest{broken, 1, 800}, PageRequest{"01ARZ3NDEKTSV4RRFFQ69G5FAV", 1, 800}}) {
    EXPECT_EQ(engine->DrawPage(request, {}).status().code(), StatusCode::kNotFound)
        << request.document_id;
  }
  EXPECT_THAT(engine->DrawPage({broken, 1, 800}, {}).status().message(),
              HasSubstr("cannot be drawn"));
}

}  // namespace
}  // namespace sightline::engine
