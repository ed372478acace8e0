#include "io/http_client.h"

#include <arpa/inet.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <netinet/in.h>
#include <sys/socket.h>
#include <unistd.h>

#include <array>
#include <cstring>
#include <functional>
#include <thread>

#include "io/unique_fd.h"

namespace sightline::io {
namespace {

using base::StatusCode;
using testing::HasSubstr;

// Answers each connection with what `answer` makes of the request's bytes, on a loopback port.
class ScriptedServer {
 public:
  using Answer = std::function<std::string(const std::string&)>;

  explicit ScriptedServer(Answer answer) : answer_(std::move(answer)) {
    listener_ = UniqueFd(socket(AF_INET, SOCK_STREAM, 0));
    sockaddr_in address{};
    address.sin_family = AF_INET;
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    auto* raw = reinterpret_cast<sockaddr*>(&address);
    EXPECT_EQ(bind(listener_.get(), raw, sizeof(address)), 0);
    EXPECT_EQ(listen(listener_.get(), 8), 0);
    socklen_t size = sizeof(address);
    getsockname(listener_.get(), raw, &size);
    port_ = ntohs(address.sin_port);
    thread_ = std::thread([this] { Serve(); });
  }
  ~ScriptedServer() {
    shutdown(listener_.get(), SHUT_RDWR);
    thread_.join();
  }

  std::string url(const std::string& path, const std::string& host = "127.0.0.1") const {
    return "http://" + host + ":" + std::to_string(port_) + path;
  }

 private:
  void Serve() {
    for (;;) {
      const UniqueFd connection(accept(listener_.get(), nullptr, nullptr));
      if (!connection.valid()) return;
      const std::string answer = answer_(ReadRequest(connection.get()));
      // Empty: say nothing until the client goes away.
      if (answer.empty()) ReadRequest(connection.get());
      send(connection.get(), answer.data(), answer.size(), MSG_NOSIGNAL);
    }
  }

  // The head, and the body when it has a length or is chunked.
  static std::string ReadRequest(int fd) {
    std::string request;
    std::array<char, 4096> buffer;
    for (;;) {
      const size_t head_end = request.find("\r\n\r\n");
      if (head_end != std::string::npos) {
        const size_t length = request.find("Content-Length: ");
        const size_t body = request.size() - head_end - 4;
        if (length != std::string::npos) {
          if (body >= std::stoul(request.substr(length + 16))) return request;
        } else if (request.find("chunked") == std::string::npos || request.ends_with("0\r\n\r\n")) {
          return request;
        }
      }
      const ssize_t got = recv(fd, buffer.data(), buffer.size(), 0);
      if (got <= 0) return request;
      request.append(buffer.data(), static_cast<size_t>(got));
    }
  }

  Answer answer_;
  UniqueFd listener_;
  int port_ = 0;
  std::thread thread_;
};

std::string Ok(const std::string& body) {
  return "HTTP/1.1 200 OK\r\nContent-Length: " + std::to_string(body.size()) +
         "\r\nX-Kind: Página\r\n\r\n" + body;
}

TEST(HttpClientTest, SendsMethodHeadersAndBodyAndReadsTheAnswer) {
  std::string seen;
  ScriptedServer server([&](const std::string& request) {
    seen = request;
    return Ok("答案");
  });
  HttpRequest request;
  request.method = "POST";
  request.url = server.url("/v1/search?q=" + UrlEncode("视线 a/b"));
  request.headers = {{"Content-Type", "application/json"}, {"X-Empty", ""}};
  request.body = "{\"query\":\"图\"}";
  auto response = MakeHttpClient()->Send(request);
  ASSERT_TRUE(response.ok()) << response.status().ToString();
  EXPECT_EQ(response->status, 200);
  EXPECT_EQ(response->body, "答案");
  EXPECT_EQ(response->header("x-kind"), "Página");
  EXPECT_EQ(response->header("x-none"), "");
  EXPECT_THAT(seen, HasSubstr("POST /v1/search?q=%E8%A7%86%E7%BA%BF%20a%2Fb HTTP/1.1\r\n"));
  EXPECT_THAT(seen, HasSubstr("Content-Type: application/json\r\n"));
  EXPECT_THAT(seen, HasSubstr("X-Empty:"));
  EXPECT_TRUE(seen.ends_with(request.body));
}

TEST(HttpClientTest, AnErrorOfTheServerIsAResponse) {
  ScriptedServer server(
      [](const std::string&) { return "HTTP/1.1 503 Busy\r\nContent-Length: 5\r\n\r\nlater"; });
  HttpRequest request;
  request.url = server.url("/");
  bool written = false;
  request.body_writer = [&](std::string_view) {
    written = true;
    return base::OkStatus();
  };
  auto response = MakeHttpClient()->Send(request);
  ASSERT_TRUE(response.ok());
  EXPECT_EQ(response->status, 503);
  EXPECT_EQ(response->body, "later");
  EXPECT_FALSE(written);
}

TEST(HttpClientTest, BodiesStreamBothWays) {
  std::string seen;
  const std::string large(300'000, 'r');
  ScriptedServer server([&](const std::string& request) {
    seen = request;
    return Ok(large);
  });
  HttpRequest request;
  request.method = "POST";
  request.url = server.url("/upload");
  int pieces = 3;
  request.body_reader = [&](std::span<char> out) -> base::Result<size_t> {
    if (pieces-- == 0) return size_t{0};
    std::memset(out.data(), 'p', 10);
    return size_t{10};
  };
  size_t received = 0;
  request.body_writer = [&](std::string_view data) {
    received += data.size();
    return base::OkStatus();
  };
  auto response = MakeHttpClient()->Send(request);
  ASSERT_TRUE(response.ok()) << response.status().ToString();
  EXPECT_EQ(received, large.size());
  EXPECT_EQ(response->body, "");
  EXPECT_THAT(seen, HasSubstr("Transfer-Encoding: chunked"));
  EXPECT_THAT(seen, HasSubstr("pppppppppp"));
}

TEST(HttpClientTest, FailuresOfReadersAndWritersComeBack) {
  ScriptedServer server([](const std::string&) { return Ok("body"); });
  HttpRequest request;
  request.url = server.url("/");
  request.body_writer = [](std::string_view) { return base::DataLoss("disk"); };
  EXPECT_EQ(MakeHttpClient()->Send(request).status(), base::DataLoss("disk"));
  request.method = "PUT";
  request.body_reader = [](std::span<char>) -> base::Result<size_t> {
    return base::IoError("source");
  };
  EXPECT_EQ(MakeHttpClient()->Send(request).status(), base::IoError("source"));
}

TEST(HttpClientTest, OneByteOverTheBodyBoundIsRefused) {
  ScriptedServer server([](const std::string&) { return Ok("12345678"); });
  HttpRequest request;
  request.url = server.url("/");
  request.max_body_bytes = 8;
  EXPECT_TRUE(MakeHttpClient()->Send(request).ok());
  request.max_body_bytes = 7;
  EXPECT_EQ(MakeHttpClient()->Send(request).status().code(), StatusCode::kResourceExhausted);
}

TEST(HttpClientTest, HeadersAreBounded) {
  ScriptedServer server([](const std::string&) {
    return "HTTP/1.1 200 OK\r\nX-Long: " + std::string(5000, 'x') + "\r\n\r\n";
  });
  HttpRequest request;
  request.url = server.url("/");
  request.max_header_bytes = 4000;
  EXPECT_EQ(MakeHttpClient()->Send(request).status().code(), StatusCode::kResourceExhausted);
}

TEST(HttpClientTest, RedirectsAreFollowedOnlyWhenAsked) {
  ScriptedServer server([](const std::string& request) {
    if (request.starts_with("GET /new")) return Ok("there");
    return std::string("HTTP/1.1 302 Found\r\nLocation: /new\r\nContent-Length: 0\r\n\r\n");
  });
  HttpRequest request;
  request.url = server.url("/old");
  EXPECT_EQ(MakeHttpClient()->Send(request)->status, 302);
  request.max_redirects = 1;
  auto response = MakeHttpClient()->Send(request);
  ASSERT_TRUE(response.ok());
  EXPECT_EQ(response->body, "there");
  EXPECT_EQ(response->url, server.url("/new"));
}

TEST(HttpClientTest, ARedirectToAFileIsRefused) {
  ScriptedServer server([](const std::string&) {
    return "HTTP/1.1 302 Found\r\nLocation: file:///etc/passwd\r\nContent-Length: 0\r\n\r\n";
  });
  HttpRequest request;
  request.url = server.url("/");
  request.max_redirects = 5;
  EXPECT_EQ(MakeHttpClient()->Send(request).status().code(), StatusCode::kInvalidArgument);
}

TEST(HttpClientTest, ThePinnedAddressIsUsedWhateverTheName) {
  std::string seen;
  ScriptedServer server([&](const std::string& request) {
    seen = request;
    return Ok("pinned");
  });
  HttpRequest request;
  request.url = server.url("/", "models.invalid");
  EXPECT_EQ(MakeHttpClient()->Send(request).status().code(), StatusCode::kUnavailable);
  request.pinned_address = "127.0.0.1";
  auto response = MakeHttpClient()->Send(request);
  ASSERT_TRUE(response.ok()) << response.status().ToString();
  EXPECT_EQ(response->body, "pinned");
  EXPECT_THAT(seen, HasSubstr("Host: models.invalid:"));
}

TEST(HttpClientTest, OtherSchemesAndLineBreaksAreRefused) {
  const auto client = MakeHttpClient();
  HttpRequest request;
  for (const char* url : {"file:///etc/passwd", "ftp://127.0.0.1/", "not a url", ""}) {
    request.url = url;
    EXPECT_EQ(client->Send(request).status().code(), StatusCode::kInvalidArgument) << url;
  }
  request.url = "http://127.0.0.1/a\r\nX: y";
  EXPECT_EQ(client->Send(request).status().code(), StatusCode::kInvalidArgument);
  request.url = "http://127.0.0.1/";
  request.headers = {{"X", "a\r\nEvil: b"}};
  EXPECT_EQ(client->Send(request).status().code(), StatusCode::kInvalidArgument);
}

TEST(HttpClientTest, NothingListeningIsUnavailable) {
  HttpRequest request;
  request.url = "http://127.0.0.1:1/";
  EXPECT_EQ(MakeHttpClient()->Send(request).status().code(), StatusCode::kUnavailable);
}

TEST(HttpClientTest, ASilentServerMeetsTheDeadlineAndTheCaller) {
  ScriptedServer server([](const std::string&) { return ""; });
  HttpRequest request;
  request.url = server.url("/");
  request.timeout_ms = 50;
  EXPECT_EQ(MakeHttpClient()->Send(request).status().code(), StatusCode::kDeadlineExceeded);
  request.cancel.Cancel();
  EXPECT_EQ(MakeHttpClient()->Send(request).status().code(), StatusCode::kCancelled);
}

}  // namespace
}  // namespace sightline::io
