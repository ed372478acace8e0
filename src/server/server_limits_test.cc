// Each limit, and one over it.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <condition_variable>
#include <future>
#include <mutex>
#include <thread>

#include "server/fake_engine.h"
#include "server/raw_client.h"

namespace sightline::server {
namespace {

using testing::HasSubstr;
using testing::StartsWith;

constexpr char kLive[] = "GET /health/live HTTP/1.1\r\nHost: localhost\r\n\r\n";
constexpr char kSearch[] =
    "POST /v1/search HTTP/1.1\r\nHost: localhost\r\nContent-Length: 13\r\n\r\n{\"query\":\"a\"}";

// Holds searches until it is opened or they are cancelled, and counts those inside.
class Gate {
 public:
  FakeEngine::SearchFunction Search() {
    return [this](const retrieve::SearchRequest&,
                  const base::CancelToken& cancel) -> base::Result<retrieve::SearchResponse> {
      const std::stop_callback wake(cancel.stop_token(), [this] {
        const std::lock_guard lock(mutex_);
        changed_.notify_all();
      });
      std::unique_lock lock(mutex_);
      ++inside_;
      changed_.notify_all();
      while (!open_ && cancel.Check().ok()) changed_.wait_for(lock, cancel.remaining());
      if (!open_) ++cancelled_;
      changed_.notify_all();
      const base::Status status = cancel.Check();
      if (!status.ok()) return status;
      return retrieve::SearchResponse();
    };
  }
  void WaitInside(int count) {
    std::unique_lock lock(mutex_);
    changed_.wait(lock, [&] { return inside_ >= count; });
  }
  void WaitCancelled(int count) {
    std::unique_lock lock(mutex_);
    changed_.wait(lock, [&] { return cancelled_ >= count; });
  }
  void Open() {
    const std::lock_guard lock(mutex_);
    open_ = true;
    changed_.notify_all();
  }

 private:
  std::mutex mutex_;
  std::condition_variable changed_;
  int inside_ = 0;
  int cancelled_ = 0;
  bool open_ = false;
};

class ServerLimitsTest : public testing::Test {
 protected:
  ServerLimitsTest() { served_.engine.on_search = gate_.Search(); }
  ~ServerLimitsTest() override { gate_.Open(); }
  void Start() { served_.Start(options_); }
  int port() const { return served_.server->port(); }

  ServerOptions options_ = ServedEngine::DefaultOptions();
  Gate gate_;
  ServedEngine served_;
};

std::string HeadOfSize(size_t size_bytes) {
  const std::string start = "GET /health/live HTTP/1.1\r\nHost: localhost\r\nX-Fill: ";
  const std::string end = "\r\n\r\n";
  return start + std::string(size_bytes - start.size() - end.size(), 'x') + end;
}

TEST_F(ServerLimitsTest, TheHead) {
  Start();
  RawClient client(port());
  client.Send(HeadOfSize(options_.limits.head_bytes));
  EXPECT_THAT(client.ReadResponse(), StartsWith("HTTP/1.1 200"));
  client.Send(HeadOfSize(options_.limits.head_bytes + 1));
  const std::string refusal = client.ReadAll();
  EXPECT_THAT(refusal, StartsWith("HTTP/1.1 431"));
  EXPECT_THAT(refusal, HasSubstr("head_too_large"));
  EXPECT_THAT(served_.Get("/metrics").body, HasSubstr("limit=\"head_too_large\"} 1"));
}

TEST_F(ServerLimitsTest, TheTimeOfTheHead) {
  options_.limits.head_timeout_ms = 50;
  Start();
  RawClient slow(port());
  slow.Send("GET /health/live HTTP/1.1\r\nHost: loc");
  EXPECT_THAT(slow.ReadAll(), StartsWith("HTTP/1.1 408"));
  RawClient silent(port());
  EXPECT_EQ(silent.ReadAll(), "");
}

TEST_F(ServerLimitsTest, TheIdleTime) {
  options_.limits.idle_timeout_ms = 50;
  Start();
  RawClient client(port());
  client.Send(kLive);
  EXPECT_THAT(client.ReadResponse(), StartsWith("HTTP/1.1 200"));
  EXPECT_EQ(client.ReadAll(), "");
}

TEST_F(ServerLimitsTest, TheRateOfABody) {
  options_.limits.body_grace_ms = 50;
  Start();
  for (const char* path : {"/v1/search", "/v1/documents?filename=a"}) {
    RawClient client(port());
    client.Send("POST " + std::string(path) +
                " HTTP/1.1\r\nHost: localhost\r\nContent-Length: 1000\r\n\r\n{");
    const std::string refusal = client.ReadAll();
    EXPECT_THAT(refusal, StartsWith("HTTP/1.1 408")) << path;
    EXPECT_THAT(refusal, HasSubstr("1024 bytes a second"));
  }
  EXPECT_EQ(served_.engine.discarded_uploads(), 1);
}

TEST_F(ServerLimitsTest, TheBodyOfASearch) {
  gate_.Open();
  options_.limits.search_bytes = 100;
  Start();
  const auto body = [](size_t size) {
    return R"({"query":")" + std::string(size - 12, 'q') + "\"}";
  };
  EXPECT_EQ(served_.Post("/v1/search", body(100)).status, 200);
  EXPECT_EQ(served_.Post("/v1/search", body(101)).status, 413);
  RawClient chunked(port());
  chunked.Send(
      "POST /v1/search HTTP/1.1\r\nHost: localhost\r\nTransfer-Encoding: chunked\r\n\r\n65\r\n" +
      body(101) + "\r\n0\r\n\r\n");
  EXPECT_THAT(chunked.ReadResponse(), StartsWith("HTTP/1.1 413"));
}

TEST_F(ServerLimitsTest, TheUpload) {
  options_.limits.upload_bytes = 1000;
  Start();
  const std::string path = "/v1/documents?filename=a";
  EXPECT_EQ(served_.Post(path, std::string(1000, 'u')).status, 202);
  EXPECT_EQ(served_.Post(path, std::string(1001, 'u')).status, 413);
  EXPECT_EQ(served_.engine.discarded_uploads(), 0) << "refused before it began";
  RawClient chunked(port());
  chunked.Send("POST " + path +
               " HTTP/1.1\r\nHost: localhost\r\nTransfer-Encoding: chunked\r\n\r\n3e9\r\n" +
               std::string(1001, 'u') + "\r\n0\r\n\r\n");
  EXPECT_THAT(chunked.ReadResponse(), StartsWith("HTTP/1.1 413"));
  EXPECT_EQ(served_.engine.discarded_uploads(), 1);
}

TEST_F(ServerLimitsTest, ABodyWhereNoneBelongs) {
  Start();
  RawClient client(port());
  client.Send("GET /health/live HTTP/1.1\r\nHost: localhost\r\nContent-Length: 1\r\n\r\nx");
  EXPECT_THAT(client.ReadResponse(), StartsWith("HTTP/1.1 413"));
}

TEST_F(ServerLimitsTest, TheMetadata) {
  options_.limits.head_bytes = 256 << 10;
  Start();
  const auto path = [](size_t size) {
    return "/v1/documents?filename=a&metadata=%7B%22k%22:%22" + std::string(size - 8, 'm') +
           "%22%7D";
  };
  EXPECT_EQ(served_.Post(path(64 << 10), "x").status, 202);
  EXPECT_EQ(served_.Post(path((64 << 10) + 1), "x").status, 400);
}

TEST_F(ServerLimitsTest, Connections) {
  options_.limits.connections = 2;
  Start();
  RawClient first(port());
  RawClient second(port());
  first.Send(kLive);
  second.Send(kLive);
  EXPECT_THAT(first.ReadResponse(), StartsWith("HTTP/1.1 200"));
  EXPECT_THAT(second.ReadResponse(), StartsWith("HTTP/1.1 200"));
  RawClient third(port());
  EXPECT_THAT(third.ReadResponse(), HasSubstr("too_many_connections"));
  first.Close();
  // The server learns of the end of the first one in its own time.
  for (;;) {
    RawClient fourth(port());
    fourth.Send(kLive);
    if (fourth.ReadResponse().starts_with("HTTP/1.1 200")) break;
  }
}

TEST_F(ServerLimitsTest, ConnectionsOfOneAddress) {
  options_.limits.connections_per_address = 1;
  Start();
  RawClient first(port());
  first.Send(kLive);
  EXPECT_THAT(first.ReadResponse(), StartsWith("HTTP/1.1 200"));
  RawClient second(port());
  EXPECT_THAT(second.ReadResponse(), HasSubstr("too_many_connections"));
}

TEST_F(ServerLimitsTest, RequestsInFlight) {
  options_.limits.in_flight_requests = 2;
  Start();
  RawClient first(port());
  RawClient second(port());
  first.Send(kSearch);
  second.Send(kSearch);
  gate_.WaitInside(2);
  RawClient third(port());
  third.Send(kSearch);
  const std::string refusal = third.ReadResponse();
  EXPECT_THAT(refusal, StartsWith("HTTP/1.1 503"));
  EXPECT_THAT(refusal, HasSubstr("Retry-After: 1"));
  gate_.Open();
  EXPECT_THAT(first.ReadResponse(), StartsWith("HTTP/1.1 200"));
  EXPECT_THAT(second.ReadResponse(), StartsWith("HTTP/1.1 200"));
}

TEST_F(ServerLimitsTest, EventStreams) {
  options_.limits.event_streams = 1;
  Start();
  RawClient first(port());
  first.Send("GET /v1/events HTTP/1.1\r\nHost: localhost\r\n\r\n");
  first.ReadUntil(": sightline\n\n");
  EXPECT_EQ(served_.Get("/v1/events").status, 503);
}

TEST_F(ServerLimitsTest, TheDeadlineOfASearch) {
  options_.limits.search_timeout_ms = 50;
  Start();
  const io::HttpResponse response = served_.Post("/v1/search", R"({"query":"图"})");
  EXPECT_EQ(response.status, 504);
  EXPECT_THAT(response.body, HasSubstr("\"type\":\"timeout\""));
}

TEST_F(ServerLimitsTest, ASearchWhoseClientLeavesStops) {
  Start();
  RawClient client(port());
  client.Send(kSearch);
  gate_.WaitInside(1);
  client.Close();
  gate_.WaitCancelled(1);
}

TEST_F(ServerLimitsTest, StoppingLetsRequestsEnd) {
  Start();
  RawClient client(port());
  client.Send(kSearch);
  gate_.WaitInside(1);
  std::thread stopper([&] { served_.server->Stop(); });
  gate_.Open();
  stopper.join();
  EXPECT_THAT(client.ReadAll(), StartsWith("HTTP/1.1 200"));
}

TEST_F(ServerLimitsTest, StoppingCancelsRequestsThatTakeTooLong) {
  options_.limits.shutdown_ms = 50;
  Start();
  RawClient client(port());
  client.Send(kSearch);
  gate_.WaitInside(1);
  served_.server->Stop();
  gate_.WaitCancelled(1);
  EXPECT_EQ(client.ReadAll(), "");
}

}  // namespace
}  // namespace sightline::server
