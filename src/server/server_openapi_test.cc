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

TEST(ServerOpenApiTest, EveryRouteIsDescribedAndEveryDescriptionIsARoute) {
  FakeEngine engine;
  EventHub events(engine, 1);
  ServerMetrics metrics;
  const WebAssets web("");
  const ServerOptions options;
  const ApiContext api{engine, events, metrics, web, options};
  const Router router = MakeApiRouter(api);
  std::set<std::string> routes;
  for (const Route& route : router.routes()) {
    // The web page is not part of the API.
    if (route.pattern != "/*") routes.insert(route.method + " " + route.pattern);
  }
  EXPECT_EQ(routes, DescribedOperations());
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

TEST(ServerOpenApiTest, ReferencesLeadSomewhereAndTheServerServesIt) {
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
