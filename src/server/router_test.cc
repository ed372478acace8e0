#include "server/router.h"

#include <gtest/gtest.h>

namespace sightline::server {
namespace {

class RouterTest : public testing::Test {
 protected:
  RouterTest() {
    for (const auto& [method, pattern] :
         {std::pair("GET", "/docs"), std::pair("POST", "/docs"), std::pair("GET", "/docs/{id}"),
          std::pair("DELETE", "/docs/{id}"), std::pair("GET", "/docs/{id}/pages/{page}"),
          std::pair("POST", "/docs/{id}/retry"), std::pair("GET", "/*")}) {
      Route route;
      route.method = method;
      route.pattern = pattern;
      route.handler = [](const Request&) { return Response(); };
      router_.Add(std::move(route));
    }
  }
  std::string PatternOf(std::string_view method, std::string_view path) {
    const RouteMatch match = router_.Match(method, path);
    return match.route == nullptr ? "" : match.route->method + " " + match.route->pattern;
  }

  Router router_;
};

TEST_F(RouterTest, FindsRoutesAndTheirParameters) {
  EXPECT_EQ(PatternOf("POST", "/docs"), "POST /docs");
  EXPECT_EQ(PatternOf("HEAD", "/docs/1"), "GET /docs/{id}");
  const RouteMatch match = router_.Match("GET", "/docs/视/pages/4");
  ASSERT_NE(match.route, nullptr);
  EXPECT_EQ(match.parameters.at("id"), "视");
  EXPECT_EQ(match.parameters.at("page"), "4");
}

TEST_F(RouterTest, TheRestIsTheCatchAlls) {
  for (const char* path : {"/", "/library", "/docs/", "/docs//pages/4", "/docs/1/pages/4/x"}) {
    EXPECT_EQ(PatternOf("GET", path), "GET /*") << path;
  }
  EXPECT_EQ(PatternOf("POST", "/library"), "");
  EXPECT_TRUE(router_.Match("POST", "/library").allowed_methods.empty());
}

TEST(QueryFaultTest, OnlyWhatHasAnEffectMayBeGiven) {
  Route route;
  route.query = std::vector<QueryName>{{"limit"}, {.name = "tag", .repeats = true}};
  const auto fault = [&](std::vector<std::pair<std::string, std::string>> query) {
    Request request;
    request.query = std::move(query);
    const auto found = FindQueryFault(route, request);
    return found.has_value() ? found->message : "";
  };
  EXPECT_EQ(fault({{"limit", "1"}, {"tag", "a"}, {"tag", "标签"}}), "");
  EXPECT_EQ(fault({{"limt", "1"}}), "unknown parameter \"limt\" (did you mean \"limit\"?)");
  EXPECT_EQ(fault({{"解释", ""}}), "unknown parameter \"解释\"");
  EXPECT_EQ(fault({{"limit", "1"}, {"limit", "1"}}), "limit is given twice");
  EXPECT_EQ(fault({{std::string(500, 'x'), ""}}),
            "unknown parameter \"" + std::string(100, 'x') + "\"");
  route.query = std::nullopt;
  EXPECT_EQ(fault({{"q", "page state"}}), "");
}

TEST_F(RouterTest, AKnownPathSaysItsMethods) {
  EXPECT_EQ(router_.Match("PUT", "/docs").allowed_methods,
            (std::vector<std::string>{"GET", "HEAD", "POST"}));
  EXPECT_EQ(router_.Match("GET", "/docs/1/retry").allowed_methods,
            (std::vector<std::string>{"POST"}));
  EXPECT_EQ(router_.Match("GET", "/docs/1/retry").route, nullptr);
}

}  // namespace
}  // namespace sightline::server
