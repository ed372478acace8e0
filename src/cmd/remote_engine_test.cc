// The remote engine against the real server with an engine in memory behind it.
#include "cmd/remote_engine.h"

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>

#include "server/fake_engine.h"

namespace sightline::cmd {
namespace {

class RemoteEngineTest : public ::testing::Test {
 protected:
  void SetUp() override {
    served_.engine.on_search = [this](const retrieve::SearchRequest& request,
                                      const base::CancelToken&) {
      asked_ = request;
      if (!request.image_path.empty()) {
        std::ifstream file(request.image_path, std::ios::binary);
        picture_.assign(std::istreambuf_iterator<char>(file), {});
      }
      return base::Result<retrieve::SearchResponse>(answer_);
    };
    served_.Start();
    auto connected = RemoteEngine::Connect(served_.server->url() + "/", io::MakeHttpClient(), {});
    ASSERT_TRUE(connected.ok()) << connected.status().ToString();
    engine_ = *std::move(connected);
  }

  server::ServedEngine served_;
  retrieve::SearchRequest asked_;
  retrieve::SearchResponse answer_;
  std::string picture_;
  std::unique_ptr<RemoteEngine> engine_;
};

TEST_F(RemoteEngineTest, ListsGetsAndRemoves) {
  const std::string id = served_.engine.AddDocument("手册.pdf", "%PDF-1.7", "application/pdf");
  const auto document = engine_->GetDocument(id);
  ASSERT_TRUE(document.ok()) << document.status().ToString();
  EXPECT_EQ(document->file_name, "手册.pdf");
  const auto page = engine_->ListDocuments({});
  ASSERT_TRUE(page.ok()) << page.status().ToString();
  EXPECT_EQ(page->documents.size(), 1U);
  EXPECT_TRUE(engine_->RemoveDocument(id).ok());
  EXPECT_EQ(engine_->GetDocument(id).status().code(), base::StatusCode::kNotFound);
  EXPECT_EQ(engine_->RemoveDocument(id).code(), base::StatusCode::kNotFound);
}

TEST_F(RemoteEngineTest, UploadsInPieces) {
  engine::AddOptions options;
  options.file_name = "a b&c=ü.txt";
  options.tags = {"x y", "标签"};
  options.metadata_json = R"({"room":"B2"})";
  auto upload = engine_->BeginUpload(options);
  ASSERT_TRUE(upload.ok());
  std::string all;
  for (int i = 0; i < 300; ++i) {
    const std::string piece(10'000, static_cast<char>('a' + i % 26));
    ASSERT_TRUE((*upload)->Append(piece).ok());
    all += piece;
  }
  const auto added = (*upload)->Finish();
  ASSERT_TRUE(added.ok()) << added.status().ToString();
  EXPECT_FALSE(added->already_there);
  const auto stored = served_.engine.GetDocument(added->document.id);
  ASSERT_TRUE(stored.ok());
  EXPECT_EQ(stored->file_name, options.file_name);
  EXPECT_EQ(stored->tags, options.tags);
  EXPECT_EQ(stored->size_bytes, static_cast<int64_t>(all.size()));
}

TEST_F(RemoteEngineTest, ADroppedUploadLeavesNothing) {
  engine::AddOptions options;
  options.file_name = "dropped.txt";
  {
    auto upload = engine_->BeginUpload(options);
    ASSERT_TRUE(upload.ok());
    ASSERT_TRUE((*upload)->Append("some bytes").ok());
  }
  const auto page = engine_->ListDocuments({});
  ASSERT_TRUE(page.ok());
  EXPECT_TRUE(page->documents.empty());
}

TEST_F(RemoteEngineTest, SearchesWithWordsFilterAndPicture) {
  retrieve::Hit hit;
  hit.rank = 1;
  hit.unit.kind = store::UnitKind::kPage;
  hit.unit.locator.page = 3;
  hit.snippet.text = "水泵";
  answer_.hits = {hit};
  retrieve::SearchRequest request;
  request.query = "水泵 pump";
  request.top_k = 7;
  request.mode = store::SearchMode::kExact;
  const auto filter = store::ParseFilter(R"({"must":[{"key":"tag","match":{"value":"demo"}}]})");
  ASSERT_TRUE(filter.ok());
  request.filter = *filter;
  const auto words = engine_->Search(request, {});
  ASSERT_TRUE(words.ok()) << words.status().ToString();
  ASSERT_EQ(words->hits.size(), 1U);
  EXPECT_EQ(words->hits[0].unit.locator.page, 3);
  EXPECT_EQ(asked_.query, request.query);
  EXPECT_EQ(asked_.top_k, 7);
  EXPECT_EQ(asked_.mode, store::SearchMode::kExact);
  ASSERT_EQ(asked_.filter.must.size(), 1U);
  EXPECT_EQ(asked_.filter.must[0].key, "tag");

  const auto path = std::filesystem::temp_directory_path() / "sightline-remote-picture";
  const std::string bytes("\x89PNG\r\n\r\n--\0\r\n", 13);
  std::ofstream(path, std::ios::binary) << bytes;
  request.image_path = path.string();
  const auto picture = engine_->Search(request, {});
  std::filesystem::remove(path);
  ASSERT_TRUE(picture.ok()) << picture.status().ToString();
  EXPECT_EQ(picture_, bytes);
  EXPECT_EQ(asked_.query, request.query);
}

TEST_F(RemoteEngineTest, TheServersWordsReachThePerson) {
  retrieve::SearchRequest request;
  request.query = std::string(9000, 'x');
  const auto response = engine_->Search(request, {});
  EXPECT_EQ(response.status().code(), base::StatusCode::kInvalidArgument);
  EXPECT_NE(response.status().message().find("8"), std::string::npos);
}

TEST_F(RemoteEngineTest, AServerThatIsGoneIsNamed) {
  const std::string url = served_.server->url();
  served_.server->Stop();
  EXPECT_EQ(engine_->GetDocument("01JDXW0000000000000000000A").status().code(),
            base::StatusCode::kUnavailable);
  const auto again = RemoteEngine::Connect(url, io::MakeHttpClient(), {});
  EXPECT_EQ(again.status().code(), base::StatusCode::kUnavailable);
  EXPECT_NE(again.status().message().find(url), std::string::npos);
}

TEST_F(RemoteEngineTest, WaitingEndsWithCancellation) {
  // A queued document of an engine that never works on it.
  const std::string id = served_.engine.AddDocument("slow.pdf", "%PDF", "application/pdf");
  auto document = served_.engine.GetDocument(id);
  ASSERT_TRUE(document.ok());
  document->state = store::DocumentState::kQueued;
  served_.engine.Publish(*document);
  const base::CancelToken cancel;
  cancel.Cancel();
  const auto waited = engine_->WaitForDocument(id, cancel);
  EXPECT_TRUE(waited.ok() || waited.status().code() == base::StatusCode::kCancelled);
}

}  // namespace
}  // namespace sightline::cmd
