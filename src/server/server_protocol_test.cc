// HTTP itself: what is sent over the connection, also by clients that mean no good.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>

#include "server/fake_engine.h"
#include "server/raw_client.h"

namespace sightline::server {
namespace {

using testing::HasSubstr;
using testing::Not;
using testing::StartsWith;

class ServerProtocolTest : public testing::Test {
 protected:
  // The answer to these bytes, up to the end of the connection.
  std::string Exchange(std::string_view bytes) {
    RawClient client(served_.server->port());
    client.Send(bytes);
    return client.ReadAll();
  }

  ServedEngine served_;
};

TEST_F(ServerProtocolTest, PipelinedRequestsAreAnsweredInOrder) {
  served_.Start();
  RawClient client(served_.server->port());
  client.Send(
      "GET /health/live HTTP/1.1\r\nHost: localhost\r\n\r\n"
      "POST /v1/search HTTP/1.1\r\nHost: localhost\r\nContent-Length: 15\r\n\r\n{\"query\":\"图\"}"
      "GET /v1/nothing HTTP/1.1\r\nHost: localhost\r\n\r\n"
      "HEAD /health/live HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n");
  EXPECT_THAT(client.ReadResponse(), HasSubstr("{\"status\":\"ok\"}"));
  EXPECT_THAT(client.ReadResponse(), HasSubstr("\"hits\":[]"));
  EXPECT_THAT(client.ReadResponse(), StartsWith("HTTP/1.1 404"));
  const std::string head = client.ReadAll();
  EXPECT_THAT(head, StartsWith("HTTP/1.1 200"));
  EXPECT_THAT(head, HasSubstr("Content-Length: 15"));
  EXPECT_TRUE(head.ends_with("\r\n\r\n")) << "a HEAD has no body";
}

TEST_F(ServerProtocolTest, AnHttp10ClientGetsOneAnswer) {
  served_.Start();
  EXPECT_THAT(Exchange("GET /health/live HTTP/1.0\r\nHost: localhost\r\n\r\n"),
              HasSubstr("Connection: close"));
}

TEST_F(ServerProtocolTest, UnknownPathsAndMethodsAreSaidSo) {
  served_.Start();
  EXPECT_EQ(served_.Get("/v1/unknown").status, 404);
  EXPECT_EQ(served_.Get("/missing.js").status, 404);
  EXPECT_EQ(served_.Post("/v1/unknown", "x").status, 404);
  io::HttpRequest request;
  request.method = "PUT";
  request.url = served_.url("/v1/documents");
  const io::HttpResponse response = served_.Send(request);
  EXPECT_EQ(response.status, 405);
  EXPECT_EQ(response.header("allow"), "POST, GET, HEAD");
  EXPECT_THAT(response.body, HasSubstr("\"code\":\"method_not_allowed\""));
}

TEST_F(ServerProtocolTest, PathsThatLeaveAreRefused) {
  const std::string folder = testing::TempDir() + "web_traversal/";
  std::filesystem::create_directories(folder + "web/assets");
  std::ofstream(folder + "secret.txt") << "secret";
  std::ofstream(folder + "web/index.html") << "<title>页面</title>";
  std::ofstream(folder + "web/assets/app.js") << "app()";
  std::filesystem::remove(folder + "web/link.txt");
  std::filesystem::create_symlink("../secret.txt", folder + "web/link.txt");
  ServerOptions options = ServedEngine::DefaultOptions();
  options.web_dir = folder + "web";
  served_.Start(options);
  for (const char* target : {"/../secret.txt", "/%2e%2e/secret.txt", "/assets/../../secret.txt",
                             "/..%2fsecret.txt", "/link.txt", "//../secret.txt"}) {
    const std::string answer = Exchange(
        "GET " + std::string(target) + " HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n");
    EXPECT_THAT(answer, StartsWith("HTTP/1.1 40")) << target;
    EXPECT_THAT(answer, Not(HasSubstr("secret\r"))) << target;
  }
  EXPECT_EQ(served_.Get("/assets/app.js").body, "app()");
  EXPECT_EQ(served_.Get("/assets/app.js").header("content-type"), "text/javascript; charset=utf-8");
}

TEST_F(ServerProtocolTest, ThePageAnswersForEveryAddressThatItDraws) {
  const std::string folder = testing::TempDir() + "web_page/";
  std::filesystem::create_directories(folder);
  std::ofstream(folder + "index.html") << "<title>视线</title>";
  ServerOptions options = ServedEngine::DefaultOptions();
  options.web_dir = folder;
  served_.Start(options);
  for (const char* path : {"/", "/library", "/d/ID/p/4", "/d/ID?t=727", "/system"}) {
    const io::HttpResponse response = served_.Get(path);
    EXPECT_EQ(response.body, "<title>视线</title>") << path;
    EXPECT_EQ(response.header("content-type"), "text/html; charset=utf-8");
    EXPECT_THAT(std::string(response.header("content-security-policy")),
                HasSubstr("default-src 'self'"));
    const std::string tag(response.header("etag"));
    EXPECT_EQ(served_.Get(path, {{"If-None-Match", tag}}).status, 304);
  }
}

TEST_F(ServerProtocolTest, OtherHostsAndOriginsAreRefused) {
  served_.Start();
  EXPECT_THAT(Exchange("GET /health/live HTTP/1.1\r\nConnection: close\r\n\r\n"),
              StartsWith("HTTP/1.1 400"));
  EXPECT_THAT(Exchange("GET /health/live HTTP/1.1\r\nHost: localhost\r\nHost: evil\r\n"
                       "Connection: close\r\n\r\n"),
              StartsWith("HTTP/1.1 400"));
  EXPECT_THAT(
      Exchange("GET /health/live HTTP/1.1\r\nHost: evil.example\r\nConnection: close\r\n\r\n"),
      StartsWith("HTTP/1.1 403"));
  EXPECT_EQ(
      served_.Post("/v1/search", R"({"query":"图"})", {{"Origin", "http://evil.example"}}).status,
      403);
  EXPECT_EQ(
      served_.Post("/v1/search", R"({"query":"图"})", {{"Origin", served_.server->url()}}).status,
      200);
}

TEST_F(ServerProtocolTest, WhatIsNotHttpIsRefused) {
  served_.Start();
  for (const char* bytes :
       {"nonsense\r\n\r\n", "GET /\r\n\r\n", "GET / HTTP/9.9\r\n\r\n",
        "GET http://localhost/health/live HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n",
        "GET / HTTP/1.1\r\nHost localhost\r\n\r\n",
        "POST /v1/search HTTP/1.1\r\nHost: localhost\r\nContent-Length: -1\r\n\r\n",
        "POST /v1/search HTTP/1.1\r\nHost: localhost\r\nContent-Length: 1\r\nContent-Length: "
        "2\r\n\r\nx",
        "POST /v1/search HTTP/1.1\r\nHost: localhost\r\nTransfer-Encoding: "
        "chunked\r\n\r\nzz\r\n"}) {
    EXPECT_THAT(Exchange(bytes), StartsWith("HTTP/1.1 400")) << bytes;
  }
}

TEST_F(ServerProtocolTest, AClientMayWaitForContinue) {
  served_.Start();
  RawClient client(served_.server->port());
  client.Send(
      "POST /v1/documents?filename=a HTTP/1.1\r\nHost: localhost\r\nExpect: 100-continue\r\n"
      "Content-Length: 4\r\nConnection: close\r\n\r\n");
  EXPECT_EQ(client.ReadUntil("\r\n\r\n"), "HTTP/1.1 100 Continue\r\n\r\n");
  client.Send("data");
  EXPECT_THAT(client.ReadAll(), StartsWith("HTTP/1.1 202"));
}

TEST_F(ServerProtocolTest, EveryAnswerCarriesItsIdTimingAndSecurityHeaders) {
  served_.Start();
  const io::HttpResponse given = served_.Get("/health/live", {{"X-Request-Id", "abc-1.2"}});
  EXPECT_EQ(given.header("x-request-id"), "abc-1.2");
  const io::HttpResponse made = served_.Get("/v1/unknown", {{"X-Request-Id", "视线"}});
  EXPECT_EQ(made.header("x-request-id").size(), 26U);
  EXPECT_THAT(std::string(made.header("server-timing")), StartsWith("total;dur="));
  EXPECT_EQ(made.header("x-content-type-options"), "nosniff");
  EXPECT_EQ(made.header("cross-origin-resource-policy"), "same-origin");
  EXPECT_NE(made.header("date"), "");
}

TEST_F(ServerProtocolTest, ChangesArriveAsEvents) {
  served_.Start();
  RawClient client(served_.server->port());
  client.Send("GET /v1/events HTTP/1.1\r\nHost: localhost\r\n\r\n");
  const std::string head = client.ReadUntil(": sightline\n\n");
  EXPECT_THAT(head, HasSubstr("Content-Type: text/event-stream"));
  store::Document document;
  document.id = "D1";
  document.file_name = "讲座.mp4";
  served_.engine.Publish(document);
  const std::string event = client.ReadUntil("\n\n");
  EXPECT_THAT(event, StartsWith("event: document\ndata: {"));
  EXPECT_THAT(event, HasSubstr("讲座.mp4"));
}

TEST_F(ServerProtocolTest, ASilentStreamHasAHeartbeat) {
  ServerOptions options = ServedEngine::DefaultOptions();
  options.limits.heartbeat_ms = 10;
  served_.Start(options);
  RawClient client(served_.server->port());
  client.Send("GET /v1/events HTTP/1.1\r\nHost: localhost\r\n\r\n");
  EXPECT_THAT(client.ReadUntil(": heartbeat\n\n"), HasSubstr(": heartbeat"));
}

TEST_F(ServerProtocolTest, OtherAddressesAndUsedPortsAreRefusedWithAReason) {
  served_.Start();
  ServerOptions options = ServedEngine::DefaultOptions();
  for (const char* address : {"0.0.0.0", "192.168.1.10", "::", "example.com", ""}) {
    options.listen = address;
    const base::Status status = Server::Start(options, served_.engine).status();
    EXPECT_EQ(status.code(), base::StatusCode::kInvalidArgument) << address;
    EXPECT_THAT(status.message(), HasSubstr("this machine only"));
  }
  options = ServedEngine::DefaultOptions();
  options.port = served_.server->port();
  const base::Status status = Server::Start(options, served_.engine).status();
  EXPECT_EQ(status.code(), base::StatusCode::kUnavailable);
  EXPECT_THAT(status.message(), HasSubstr("--port"));
}

TEST_F(ServerProtocolTest, StoppingClosesIdleConnectionsAndStreams) {
  served_.Start();
  RawClient idle(served_.server->port());
  idle.Send("GET /health/live HTTP/1.1\r\nHost: localhost\r\n\r\n");
  EXPECT_THAT(idle.ReadResponse(), StartsWith("HTTP/1.1 200"));
  RawClient stream(served_.server->port());
  stream.Send("GET /v1/events HTTP/1.1\r\nHost: localhost\r\n\r\n");
  stream.ReadUntil(": sightline\n\n");
  served_.server->Stop();
  EXPECT_EQ(idle.ReadAll(), "");
  EXPECT_EQ(stream.ReadAll(), "");
}

}  // namespace
}  // namespace sightline::server
