#include "model/hub.h"

#include <arpa/inet.h>
#include <gtest/gtest.h>
#include <netinet/in.h>
#include <sys/socket.h>
#include <unistd.h>

#include <map>
#include <mutex>
#include <string>
#include <thread>

#include "base/digest.h"
#include "io/memory_file_system.h"
#include "model/hub_listing.h"
#include "model/model_store.h"

namespace sightline::model {
namespace {

constexpr char kCommit[] = "0123456789abcdef0123456789abcdef01234567";

/// A hub on a loopback port that serves files, resumes them, and can break off one answer.
class LoopbackHub {
 public:
  LoopbackHub() {
    listener_ = socket(AF_INET, SOCK_STREAM, 0);
    sockaddr_in address{};
    address.sin_family = AF_INET;
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    auto* raw = reinterpret_cast<sockaddr*>(&address);
    EXPECT_EQ(bind(listener_, raw, sizeof(address)), 0);
    EXPECT_EQ(listen(listener_, 8), 0);
    socklen_t size = sizeof(address);
    getsockname(listener_, raw, &size);
    endpoint_ = "http://127.0.0.1:" + std::to_string(ntohs(address.sin_port));
    thread_ = std::thread([this] { Serve(); });
  }
  ~LoopbackHub() {
    shutdown(listener_, SHUT_RDWR);
    thread_.join();
    close(listener_);
  }

  const std::string& endpoint() const { return endpoint_; }
  /// What every request must carry; set before the first.
  std::string token;
  void Put(const std::string& path, const std::string& body) {
    const std::lock_guard lock(mutex_);
    bodies_[path] = body;
  }
  /// The next answer with this path ends after `bytes` of the body.
  void BreakOff(const std::string& path, std::size_t bytes) {
    const std::lock_guard lock(mutex_);
    broken_[path] = bytes;
  }
  std::vector<std::string> requests() {
    const std::lock_guard lock(mutex_);
    return requests_;
  }

 private:
  void Serve() {
    while (true) {
      const int connection = accept(listener_, nullptr, nullptr);
      if (connection < 0) return;
      std::string request;
      char buffer[4096];
      while (request.find("\r\n\r\n") == std::string::npos) {
        const ssize_t got = recv(connection, buffer, sizeof(buffer), 0);
        if (got <= 0) break;
        request.append(buffer, static_cast<std::size_t>(got));
      }
      const std::string answer = Answer(request);
      send(connection, answer.data(), answer.size(), MSG_NOSIGNAL);
      close(connection);
    }
  }

  std::string Answer(const std::string& request) {
    const std::lock_guard lock(mutex_);
    const std::string path = request.substr(4, request.find(' ', 4) - 4);
    const std::size_t range = request.find("Range: bytes=");
    const std::size_t from =
        range == std::string::npos ? 0 : std::stoul(request.substr(range + 13));
    requests_.push_back(path + (from > 0 ? " from " + std::to_string(from) : ""));
    const auto body = bodies_.find(path);
    const bool is_open =
        token.empty() || request.find("Authorization: Bearer " + token) != std::string::npos;
    if (!is_open) return "HTTP/1.1 401 Unauthorized\r\nContent-Length: 0\r\n\r\n";
    if (body == bodies_.end()) return "HTTP/1.1 404 Not Found\r\nContent-Length: 0\r\n\r\n";
    std::string part = body->second.substr(from);
    std::string head = std::string(from > 0 ? "HTTP/1.1 206 Partial Content" : "HTTP/1.1 200 OK") +
                       "\r\nConnection: close\r\nContent-Length: " + std::to_string(part.size()) +
                       "\r\n\r\n";
    if (const auto broken = broken_.find(path); broken != broken_.end()) {
      part.resize(broken->second);
      broken_.erase(broken);
    }
    return head + part;
  }

  int listener_ = -1;
  std::string endpoint_;
  std::mutex mutex_;
  std::map<std::string, std::string> bodies_;
  std::map<std::string, std::size_t> broken_;
  std::vector<std::string> requests_;
  std::thread thread_;
};

class HubTest : public testing::Test {
 protected:
  HubTest() {
    onnx_path_ = std::string("/Org/Clip_Tiny/resolve/") + kCommit + "/onnx/vision_model.onnx";
    hub_.Put("/api/models/Org/Clip_Tiny/revision/main?blobs=true", Listing(base::Sha256Hex(onnx_)));
    hub_.Put(std::string("/Org/Clip_Tiny/resolve/") + kCommit + "/config.json", config_);
    hub_.Put(onnx_path_, onnx_);
    options_.endpoint = hub_.endpoint();
    options_.cache_folder = "/cache";
    EXPECT_TRUE(files_.CreateDirectories("/cache").ok());
    EXPECT_TRUE(files_.WriteFileAtomically("/registry.toml", "schema = 1\n").ok());
  }

  std::string Listing(const std::string& sha256) const {
    return std::string(R"({"sha":")") + kCommit +
           R"(","cardData":{"license":"mit"},"siblings":[{"rfilename":"README.md","size":3},)"
           R"({"rfilename":"onnx/vision_model_int8.onnx","size":5},{"rfilename":"config.json","size":)" +
           std::to_string(config_.size()) + R"(},{"rfilename":"onnx/vision_model.onnx","size":)" +
           std::to_string(onnx_.size()) + R"(,"lfs":{"sha256":")" + sha256 + R"("}}]})";
  }

  base::Result<ModelEntry> Pull() {
    const auto http = io::MakeHttpClient();
    return PullModel(*ParseHubSource("hf:Org/Clip_Tiny"), options_, *http, files_);
  }

  const std::string config_ = R"({"model_type":"clip"})";
  const std::string onnx_ = std::string(100'000, 'o') + "end";
  std::string onnx_path_;
  LoopbackHub hub_;
  io::MemoryFileSystem files_;
  PullOptions options_;
};

TEST_F(HubTest, AModelIsPulledListedAndVerified) {
  std::uint64_t last = 0;
  options_.progress = [&](const PullProgress& progress) {
    EXPECT_LE(last, progress.done_bytes);
    last = progress.done_bytes;
    EXPECT_EQ(progress.total_bytes, config_.size() + onnx_.size());
  };
  const auto entry = Pull();
  ASSERT_TRUE(entry.ok()) << entry.status().ToString();
  EXPECT_EQ(entry->name, "org--clip-tiny");
  EXPECT_EQ(entry->kind, "dual");
  EXPECT_EQ(entry->licence, "mit");
  EXPECT_EQ(last, config_.size() + onnx_.size());
  const auto store = ModelStore::Open(files_, "/cache", "/registry.toml");
  ASSERT_TRUE(store.ok());
  const auto found = store->Find("org--clip-tiny");
  ASSERT_TRUE(found.ok()) << found.status().ToString();
  EXPECT_TRUE(store->Verify(**found, VerifyMode::kFull, {}).ok());
  EXPECT_EQ((*found)->sources[0], std::string("hf:Org/Clip_Tiny@") + kCommit);
  EXPECT_FALSE(*files_.Exists("/cache/models/org--clip-tiny/onnx/vision_model_int8.onnx"));
}

TEST_F(HubTest, AnAnswerThatBreaksOffIsResumed) {
  hub_.BreakOff(onnx_path_, 40'000);
  const auto entry = Pull();
  ASSERT_TRUE(entry.ok()) << entry.status().ToString();
  EXPECT_EQ(hub_.requests().back(), onnx_path_ + " from 40000");
  EXPECT_EQ(*files_.ReadFile("/cache/models/org--clip-tiny/onnx/vision_model.onnx", 1 << 20),
            onnx_);
}

TEST_F(HubTest, WhatIsThereIsNotDownloadedAgain) {
  ASSERT_TRUE(Pull().ok());
  const std::size_t before = hub_.requests().size();
  ASSERT_TRUE(Pull().ok());
  EXPECT_EQ(hub_.requests().size(), before + 1);  // the listing
}

TEST_F(HubTest, WrongBytesAreRefusedAndNotListed) {
  hub_.Put("/api/models/Org/Clip_Tiny/revision/main?blobs=true", Listing(std::string(64, '0')));
  EXPECT_EQ(Pull().status().code(), base::StatusCode::kDataLoss);
  EXPECT_FALSE(*files_.Exists("/cache/models/org--clip-tiny/model.toml"));
}

TEST_F(HubTest, AModelThatIsNotForEverybodyNeedsTheToken) {
  hub_.token = "hf_secret";
  const base::Status refused = Pull().status();
  EXPECT_EQ(refused.code(), base::StatusCode::kPermissionDenied);
  EXPECT_NE(refused.message().find("HF_TOKEN"), std::string::npos) << refused.message();
  options_.token = "hf_secret";
  EXPECT_TRUE(Pull().ok()) << Pull().status().ToString();
}

TEST_F(HubTest, AnUnknownModelAndOneThatIsTooLargeAreRefused) {
  options_.max_bytes = 1000;
  EXPECT_EQ(Pull().status().code(), base::StatusCode::kResourceExhausted);
  const auto http = io::MakeHttpClient();
  const auto unknown = PullModel(*ParseHubSource("hf:Org/Other"), options_, *http, files_);
  EXPECT_EQ(unknown.status().code(), base::StatusCode::kNotFound);
}

TEST(HubSourceTest, ReadsTheFormAndRefusesOthers) {
  const auto source = ParseHubSource("hf:openai/clip-vit-base-patch32@v1.0");
  ASSERT_TRUE(source.ok());
  EXPECT_EQ(source->revision, "v1.0");
  EXPECT_EQ(source->LocalName(), "openai--clip-vit-base-patch32");
  for (const char* text : {"", "hf:", "hf:a", "hf:/b", "hf:a/", "hf:../b", "hf:a/b/c", "hf:a/b@",
                           "openai/clip", "hf:a/b@x/y", "hf:模型/b", "hf:-a/b", "hf:_a/b"}) {
    EXPECT_EQ(ParseHubSource(text).status().code(), base::StatusCode::kInvalidArgument) << text;
  }
}

TEST(HubListingTest, OddAnswersAreRefused) {
  for (const char* json :
       {"", "[]", "{}", R"({"sha":"../../x","siblings":[]})", R"({"sha":"0123456","siblings":3})",
        R"({"sha":"0123456","siblings":[1]})",
        R"({"sha":"0123456","siblings":[{"rfilename":"model.onnx"}]})",
        R"({"sha":"0123456","siblings":[{"rfilename":"model.onnx","size":-1}]})",
        // Sizes whose sum would come round to a small one, in two ways.
        R"({"sha":"0123456","siblings":[{"rfilename":"model.onnx","size":9223372036854775807}]})",
        R"({"sha":"0123456","siblings":[{"rfilename":"model.onnx","size":1},
                                        {"rfilename":"model.onnx","size":1}]})"}) {
    EXPECT_EQ(ParseHubListing(json).status().code(), base::StatusCode::kDataLoss) << json;
  }
  EXPECT_EQ(
      ParseHubListing(R"({"sha":"0123456","siblings":[{"rfilename":"../model.onnx","size":1}]})")
          .status()
          .code(),
      base::StatusCode::kNotFound);
}

}  // namespace
}  // namespace sightline::model
