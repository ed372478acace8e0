#include "server/request_target.h"

#include <gtest/gtest.h>

namespace sightline::server {
namespace {

TEST(RequestTargetTest, PathAndQueryAreDecoded) {
  const auto target = ParseRequestTarget("/v1/docs/%E8%A7%86+a?tag=x+y&tag=%2B&empty&&q=a%3Db=c");
  ASSERT_TRUE(target.ok());
  EXPECT_EQ(target->path, "/v1/docs/视+a");
  using Pair = std::pair<std::string, std::string>;
  EXPECT_EQ(target->query,
            (std::vector<Pair>{{"tag", "x y"}, {"tag", "+"}, {"empty", ""}, {"q", "a=b=c"}}));
}

TEST(RequestTargetTest, WhatLeavesThePathOrIsNoTextIsRefused) {
  for (const char* target :
       {"", "*", "v1", "http://host/path", "/..", "/a/../b", "/a/%2e%2e/b", "/%2e%2E", "/a/./b",
        "/a\\b", "/a%5Cb", "/%00", "/a%0Ab", "/%", "/%4", "/%zz", "/%FF", "/?q=%FF", "/?q=%00"}) {
    EXPECT_EQ(ParseRequestTarget(target).status().code(), base::StatusCode::kInvalidArgument)
        << target;
  }
  EXPECT_TRUE(ParseRequestTarget("/a/...b/..c/d..").ok());
}

}  // namespace
}  // namespace sightline::server
