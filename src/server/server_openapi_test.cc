// openapi.json and the router say the same.
#include <gtest/gtest.h>

#include <boost/json.hpp>
#include <set>

#include "server/api.h"
#include "server/embedded_files.h"
#include "server/fake_engine.h"

namespace sightline::server {
namespace {

namespace json = boost::json;

std::set<std::string> DescribedOperations() {
  std::set<std::string> operations;
  const json::value description = json::parse(EmbeddedOpenApi());
  for (const auto& path : description.at("paths").as_object()) {
    for (const auto& operation : path.value().as_object()) {
      std::string method(operation.key());
      for (char& c : method) c = static_cast<char>(c - 'a' + 'A');
      operations.insert(method + " " + std::string(path.key()));
    }
  }
  return operations;
}

class ServerOpenApiTest : public ::testing::Test {
 private:
  FakeEngine engine_;
  EventHub events_{engine_, 1};
  ServerMetrics metrics_;
  const WebAssets web_{""};
  const ServerOptions options_;

 protected:
  const Router router_ = MakeApiRouter({engine_, events_, metrics_, web_, options_});
};

TEST_F(ServerOpenApiTest, EveryRouteIsDescribedAndEveryDescriptionIsARoute) {
  std::set<std::string> routes;
  for (const Route& route : router_.routes()) {
    // The web page is not part of the API.
    if (route.pattern != "/*") routes.insert(route.method + " " + route.pattern);
  }
  EXPECT_EQ(routes, DescribedOperations());
}

// The names of the parameters of an operation that stand in its query.
std::set<std::string> DescribedQuery(const json::value& operation) {
  std::set<std::string> names;
  const json::value* parameters = operation.as_object().if_contains("parameters");
  if (parameters == nullptr) return names;
  for (const json::value& parameter : parameters->as_array()) {
    if (parameter.at("in").as_string() == "query") {
      names.insert(std::string(parameter.at("name").as_string()));
    }
  }
  return names;
}

TEST_F(ServerOpenApiTest, EveryRouteTakesTheParametersThatAreDescribed) {
  const json::value description = json::parse(EmbeddedOpenApi());
  for (const Route& route : router_.routes()) {
    if (route.pattern == "/*") continue;
    std::string method = route.method;
    for (char& c : method) c = static_cast<char>(c - 'A' + 'a');
    std::set<std::string> names;
    ASSERT_TRUE(route.query.has_value()) << route.pattern;
    for (const QueryName& name : *route.query) names.insert(name.name);
    const json::value& operation = description.at("paths").at(route.pattern).at(method);
    EXPECT_EQ(names, DescribedQuery(operation)) << method << " " << route.pattern;
  }
}

// Every "$ref" leads somewhere.
void CheckReferences(const json::value& part, const json::value& whole) {
  if (part.is_array()) {
    for (const json::value& item : part.get_array()) CheckReferences(item, whole);
  }
  if (!part.is_object()) return;
  for (const auto& field : part.get_object()) {
    if (field.key() == "$ref") {
      boost::system::error_code error;
      const std::string pointer(field.value().as_string().subview(1));
      EXPECT_NE(whole.find_pointer(pointer, error), nullptr) << pointer;
    }
    CheckReferences(field.value(), whole);
  }
}

TEST_F(ServerOpenApiTest, EveryDescribedFieldOfASearchIsKnownAndNoOther) {
  ServedEngine served;
  served.Start();
  const json::value description = json::parse(EmbeddedOpenApi());
  const json::object& fields =
      description.at("components").at("schemas").at("SearchRequest").at("properties").as_object();
  for (const auto& field : fields) {
    const std::string body = R"({"query":"图",")" + std::string(field.key()) + R"(":null})";
    const io::HttpResponse response = served.Post("/v1/search", body);
    EXPECT_EQ(response.body.find("unknown field"), std::string::npos) << response.body;
  }
  const std::string known = "collection exact filter image query routes top_k";
  std::set<std::string> names;
  for (const auto& field : fields) names.insert(std::string(field.key()));
  std::string all;
  for (const std::string& name : names) all += (all.empty() ? "" : " ") + name;
  EXPECT_EQ(all, known);
}

TEST_F(ServerOpenApiTest, ReferencesLeadSomewhereAndTheServerServesIt) {
  ServedEngine served;
  served.Start();
  const io::HttpResponse response = served.Get("/openapi.json");
  EXPECT_EQ(response.status, 200);
  EXPECT_EQ(response.body, EmbeddedOpenApi());
  const json::value description = json::parse(response.body);
  CheckReferences(description, description);
}

}  // namespace
}  // namespace sightline::server
