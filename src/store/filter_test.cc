#include "store/filter.h"

#include <gtest/gtest.h>

#include <string>

#include "store/filter_sql.h"

namespace sightline::store {
namespace {

std::string Refusal(const std::string& json) {
  const auto filter = ParseFilter(json);
  EXPECT_FALSE(filter.ok()) << json;
  EXPECT_EQ(filter.status().code(), base::StatusCode::kInvalidArgument) << json;
  return filter.status().message();
}

TEST(ParseFilterTest, ReadsQdrantsForm) {
  const auto filter = ParseFilter(R"({
    "must":[{"key":"tag","match":{"value":"手册"}},{"key":"page","range":{"gte":2,"lt":9}}],
    "should":[{"key":"metadata.year","match":{"any":[2023,2024]}}],
    "must_not":{"must":[{"key":"metadata.draft","match":{"value":true}}]}})");
  ASSERT_TRUE(filter.ok()) << filter.status().ToString();
  ASSERT_EQ(filter->must.size(), 2U);
  EXPECT_EQ(std::get<std::string>(filter->must[0].any_of[0]), "手册");
  EXPECT_EQ(filter->must[1].gte, 2.0);
  EXPECT_EQ(filter->must[1].lt, 9.0);
  EXPECT_FALSE(filter->must[1].gt.has_value());
  EXPECT_EQ(filter->should[0].any_of.size(), 2U);
  ASSERT_EQ(filter->must_not[0].nested.size(), 1U);
  EXPECT_TRUE(std::get<bool>(filter->must_not[0].nested[0].must[0].any_of[0]));
  EXPECT_TRUE(ParseFilter("{}")->IsEmpty());
}

TEST(ParseFilterTest, TimesAreTextOrMilliseconds) {
  const auto filter = ParseFilter(
      R"({"must":[{"key":"created_at","range":{"gte":"1970-01-01T08:00:01+08:00","lt":5000}}]})");
  ASSERT_TRUE(filter.ok()) << filter.status().ToString();
  EXPECT_EQ(filter->must[0].gte, 1000.0);
  EXPECT_EQ(filter->must[0].lt, 5000.0);
}

TEST(ParseFilterTest, RefusalsNameTheWrongPart) {
  EXPECT_NE(Refusal("").find("JSON"), std::string::npos);
  EXPECT_NE(Refusal("[]").find("object"), std::string::npos);
  EXPECT_NE(Refusal(R"({"musst":[]})").find("'musst'"), std::string::npos);
  EXPECT_NE(Refusal(R"({"must":3})").find("lists"), std::string::npos);
  EXPECT_NE(Refusal(R"({"must":[3]})").find("object"), std::string::npos);
  EXPECT_NE(Refusal(R"({"must":[{}]})").find("key"), std::string::npos);
  EXPECT_NE(Refusal(R"({"must":[{"key":"colour","match":{"value":"red"}}]})").find("'colour'"),
            std::string::npos);
  EXPECT_NE(Refusal(R"({"must":[{"key":"tag"}]})").find("match or range"), std::string::npos);
  EXPECT_NE(Refusal(R"({"must":[{"key":"tag","match":{"value":"a"},"x":1}]})").find("'x'"),
            std::string::npos);
  EXPECT_NE(Refusal(R"({"must":[{"key":"tag","match":{"value":3}}]})").find("text"),
            std::string::npos);
  EXPECT_NE(Refusal(R"({"must":[{"key":"page","match":{"value":"3"}}]})").find("numbers"),
            std::string::npos);
  EXPECT_NE(Refusal(R"({"must":[{"key":"tag","range":{"gt":3}}]})").find("order"),
            std::string::npos);
  EXPECT_NE(Refusal(R"({"must":[{"key":"page","range":{"above":3}}]})").find("'above'"),
            std::string::npos);
  EXPECT_NE(Refusal(R"({"must":[{"key":"page","range":{}}]})").find("range"), std::string::npos);
  EXPECT_NE(Refusal(R"({"must":[{"key":"page","match":{"any":[]}}]})").find("any"),
            std::string::npos);
  EXPECT_NE(Refusal(R"({"must":[{"key":"metadata.a\"b","match":{"value":1}}]})").find("metadata"),
            std::string::npos);
  EXPECT_NE(Refusal(R"({"must":[{"key":"metadata.","match":{"value":1}}]})").find("metadata"),
            std::string::npos);
  EXPECT_NE(Refusal(R"({"must":[{"key":"page","match":{"value":-1e400}}]})").find("out of range"),
            std::string::npos);
  EXPECT_NE(Refusal(R"({"must":[{"key":"page","range":{"lt":1e400}}]})").find("out of range"),
            std::string::npos);
  Refusal(R"({"must":[{"key":"created_at","range":{"gt":"yesterday"}}]})");
}

std::string ManyConditions(int count) {
  std::string list;
  for (int i = 0; i < count; ++i) {
    if (i > 0) list += ",";
    list += R"({"key":"page","match":{"value":1}})";
  }
  return R"({"should":[)" + list + "]}";
}

std::string Nested(int depth) {
  std::string filter = R"({"must":[{"key":"page","match":{"value":1}}]})";
  for (int i = 1; i < depth; ++i) filter = R"({"must":[)" + filter + "]}";
  return filter;
}

TEST(ParseFilterTest, LimitsAreSixtyFourConditionsAndDepthEight) {
  EXPECT_TRUE(ParseFilter(ManyConditions(64)).ok());
  EXPECT_NE(Refusal(ManyConditions(65)).find("64"), std::string::npos);
  EXPECT_TRUE(ParseFilter(Nested(8)).ok()) << ParseFilter(Nested(8)).status().ToString();
  EXPECT_NE(Refusal(Nested(9)).find("8 levels"), std::string::npos);
  Refusal(Nested(10'000));
}

TEST(FilterSqlTest, ASearchMayAddToTheLargestFilter) {
  for (const std::string& largest : {ManyConditions(64), Nested(8)}) {
    Filter filter = *ParseFilter(largest);
    filter.must_not.push_back(filter.should.empty() ? filter.must[0] : filter.should[0]);
    const auto sql = ToSql(filter);
    EXPECT_TRUE(sql.ok()) << sql.status().ToString();
  }
}

TEST(FilterSqlTest, ValuesAreBoundAndTellFiltersApart) {
  const auto one = ToSql(*ParseFilter(R"({"must":[{"key":"tag","match":{"value":"a'--"}}]})"));
  ASSERT_TRUE(one.ok());
  EXPECT_EQ(one->text.find("a'--"), std::string::npos);
  const auto two = ToSql(*ParseFilter(R"({"must":[{"key":"tag","match":{"value":"b"}}]})"));
  EXPECT_EQ(one->text, two->text);
  EXPECT_NE(one->Key(), two->Key());
}

}  // namespace
}  // namespace sightline::store
