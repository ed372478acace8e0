#include "server/origin_check.h"

#include <gtest/gtest.h>

namespace sightline::server {
namespace {

using base::StatusCode;

base::StatusCode Check(const char* method, std::vector<Header> headers) {
  Request request;
  request.method = method;
  request.headers = std::move(headers);
  return CheckOrigin(request).code();
}

TEST(OriginCheckTest, OnlyNamesOfThisMachineAreAnswered) {
  for (const char* host :
       {"127.0.0.1", "127.0.0.1:7801", "localhost:1", "LOCALHOST", "[::1]:7801", "127.1.2.3:80"}) {
    EXPECT_EQ(Check("GET", {{"Host", host}}), StatusCode::kOk) << host;
  }
  for (const char* host : {"example.com", "127.0.0.1.example.com", "localhost.example.com:7801",
                           "192.168.1.2", "[::2]", "[::1", "0.0.0.0", "127.0.0"}) {
    EXPECT_EQ(Check("GET", {{"Host", host}}), StatusCode::kPermissionDenied) << host;
  }
  EXPECT_EQ(Check("GET", {}), StatusCode::kInvalidArgument);
}

TEST(OriginCheckTest, PagesOfOtherSitesChangeNothing) {
  const Header host{"Host", "127.0.0.1:7801"};
  EXPECT_EQ(Check("POST", {host}), StatusCode::kOk);
  EXPECT_EQ(Check("POST", {host, {"Origin", "http://127.0.0.1:7801"}}), StatusCode::kOk);
  EXPECT_EQ(Check("POST", {host, {"Sec-Fetch-Site", "same-origin"}}), StatusCode::kOk);
  for (const char* origin : {"http://example.com", "null", "http://127.0.0.1:9999",
                             "http://127.0.0.1:7801.example.com", "http://localhost:7801"}) {
    EXPECT_EQ(Check("POST", {host, {"Origin", origin}}), StatusCode::kPermissionDenied) << origin;
    EXPECT_EQ(Check("DELETE", {host, {"origin", origin}}), StatusCode::kPermissionDenied);
    EXPECT_EQ(Check("GET", {host, {"Origin", origin}}), StatusCode::kOk);
  }
  EXPECT_EQ(Check("POST", {host, {"Sec-Fetch-Site", "cross-site"}}), StatusCode::kPermissionDenied);
  EXPECT_EQ(Check("POST", {host, {"Sec-Fetch-Site", "same-site"}}), StatusCode::kPermissionDenied);
}

}  // namespace
}  // namespace sightline::server
