#include "server/search_json.h"

#include <array>
#include <boost/json.hpp>
#include <vector>

#include "base/nearest_name.h"
#include "base/size_text.h"
#include "base/utf8.h"
#include "media/decoded.h"
#include "server/base64.h"
#include "server/document_json.h"

namespace sightline::server {

namespace json = boost::json;

namespace {

const std::vector<std::string>& FieldNames() {
  static const std::vector<std::string> names = {"query",  "image",  "collection", "top_k",
                                                 "filter", "routes", "exact"};
  return names;
}

base::Status CheckFields(const json::object& body) {
  for (const auto& field : body) {
    const std::string name(field.key());
    bool known = false;
    for (const std::string& candidate : FieldNames()) known = known || candidate == name;
    if (!known) {
      return base::InvalidArgument("unknown field \"" + std::string(base::TruncateUtf8(name, 100)) +
                                   "\"" + base::DidYouMean(name, FieldNames()));
    }
  }
  return base::OkStatus();
}

base::Result<store::SearchMode> Mode(const json::object& body) {
  const json::value* exact = body.if_contains("exact");
  if (exact == nullptr || exact->is_null()) return store::SearchMode::kFast;
  if (!exact->is_bool()) return base::InvalidArgument("exact is not true or false");
  return exact->get_bool() ? store::SearchMode::kExact : store::SearchMode::kFast;
}

// The text of a field; empty when it is absent or null.
base::Result<std::string> TextField(const json::object& body, std::string_view name) {
  const json::value* value = body.if_contains(name);
  if (value == nullptr || value->is_null()) return std::string();
  if (!value->is_string()) return base::InvalidArgument(std::string(name) + " is not a text");
  return std::string(value->get_string());
}

base::Result<int> TopK(const json::object& body) {
  const json::value* value = body.if_contains("top_k");
  if (value == nullptr || value->is_null()) return 10;
  boost::system::error_code error;
  const auto top_k = value->to_number<int64_t>(error);
  if (error || top_k < 1 || top_k > 1000) {
    return base::InvalidArgument("top_k is not a whole number from 1 to 1000");
  }
  return static_cast<int>(top_k);
}

base::Result<std::vector<retrieve::Route>> Routes(const json::object& body) {
  std::vector<retrieve::Route> routes;
  const json::value* value = body.if_contains("routes");
  if (value == nullptr || value->is_null()) return routes;
  if (!value->is_array()) return base::InvalidArgument("routes is not a list");
  constexpr std::array kAll = {retrieve::Route::kLexical,         retrieve::Route::kDense,
                               retrieve::Route::kLateInteraction, retrieve::Route::kImage,
                               retrieve::Route::kConcept,         retrieve::Route::kDual};
  std::vector<std::string> names;
  for (const retrieve::Route route : kAll) names.emplace_back(retrieve::RouteName(route));
  for (const json::value& item : value->get_array()) {
    const std::string name = item.is_string() ? std::string(item.get_string()) : std::string();
    bool known = false;
    for (size_t i = 0; i < kAll.size(); ++i) {
      if (names[i] != name) continue;
      routes.push_back(kAll[i]);
      known = true;
    }
    if (!known) {
      return base::InvalidArgument("routes names no route: \"" +
                                   std::string(base::TruncateUtf8(name, 100)) + "\"" +
                                   base::DidYouMean(name, names));
    }
  }
  return routes;
}

base::Result<std::string> Picture(const json::object& body, const ServerLimits& limits) {
  SIGHTLINE_ASSIGN_OR_RETURN(std::string text, TextField(body, "image"));
  // A data URL of a browser: "data:image/png;base64,…".
  if (text.starts_with("data:")) {
    const size_t comma = text.find(',');
    text.erase(0, comma == std::string::npos ? text.size() : comma + 1);
  }
  base::Result<std::string> image = Base64Decode(text);
  if (!image.ok()) return image.status().WithContext("image");
  if (image->size() > limits.image_bytes) {
    return base::InvalidArgument("image is larger than " + base::FormatSize(limits.image_bytes));
  }
  return image;
}

json::object ScoresToJson(const retrieve::Hit& hit) {
  json::object scores;
  for (const auto& [route, score] : hit.scores) {
    scores[retrieve::RouteName(route)] = {{"rank", score.rank}, {"score", score.score}};
  }
  return scores;
}

json::object HitToJson(const retrieve::Hit& hit) {
  json::object out;
  out["rank"] = hit.rank;
  out["score"] = hit.score;
  out["document_id"] = hit.document.id;
  out["title"] = TextOrNull(hit.document.title);
  out["filename"] = hit.document.file_name;
  out["document_kind"] = media::DocumentKindName(hit.document.kind);
  out["kind"] = store::UnitKindName(hit.unit.kind);
  out["unit_id"] = std::to_string(hit.unit.id);
  out["locator"] = LocatorToJson(hit.unit.locator, hit.document);
  json::array boxes;
  for (const media::Box& box : hit.boxes) boxes.emplace_back(BoxToJson(box, hit.unit.locator));
  out["boxes"] = std::move(boxes);
  out["snippet"] = hit.snippet.text;
  json::array highlights;
  for (const auto& [begin, end] : hit.snippet.highlights) {
    highlights.emplace_back(json::array{begin, end});
  }
  out["highlights"] = std::move(highlights);
  out["language"] = text::LanguageCode(hit.unit.language);
  json::array reasons;
  for (const std::string& reason : hit.reasons) reasons.emplace_back(reason);
  out["reasons"] = std::move(reasons);
  out["scores"] = ScoresToJson(hit);
  const std::string& preview = hit.unit.preview_sha256;
  out["preview_id"] = TextOrNull(preview);
  out["preview_url"] = TextOrNull(preview.empty() ? preview : "/v1/previews/" + preview);
  const bool sized = hit.unit.preview_width > 0 && hit.unit.preview_height > 0;
  out["width"] = sized ? json::value(hit.unit.preview_width) : json::value(nullptr);
  out["height"] = sized ? json::value(hit.unit.preview_height) : json::value(nullptr);
  return out;
}

}  // namespace

base::Result<SearchQuestion> SearchFromJson(const json::object& body, const ServerLimits& limits) {
  SIGHTLINE_RETURN_IF_ERROR(CheckFields(body));
  SearchQuestion question;
  retrieve::SearchRequest& request = question.request;
  SIGHTLINE_ASSIGN_OR_RETURN(const std::string query, TextField(body, "query"));
  if (query.size() > limits.query_bytes) {
    return base::InvalidArgument("query is longer than " + base::FormatSize(limits.query_bytes));
  }
  request.query = base::SanitizeUtf8(query);
  SIGHTLINE_ASSIGN_OR_RETURN(const std::string collection, TextField(body, "collection"));
  if (!collection.empty()) request.collection = collection;
  SIGHTLINE_ASSIGN_OR_RETURN(request.top_k, TopK(body));
  SIGHTLINE_ASSIGN_OR_RETURN(request.routes, Routes(body));
  SIGHTLINE_ASSIGN_OR_RETURN(request.mode, Mode(body));
  SIGHTLINE_ASSIGN_OR_RETURN(question.image, Picture(body, limits));
  const json::value* filter = body.if_contains("filter");
  if (filter != nullptr && !filter->is_null()) {
    base::Result<store::Filter> parsed = store::ParseFilter(json::serialize(*filter));
    if (!parsed.ok()) return parsed.status().WithContext("filter");
    request.filter = *std::move(parsed);
  }
  if (request.query.empty() && question.image.empty()) {
    return base::InvalidArgument("there is nothing to search for: give query, image or both");
  }
  return question;
}

json::object SearchToJson(const retrieve::SearchResponse& response) {
  json::object out;
  json::array hits;
  for (const retrieve::Hit& hit : response.hits) hits.emplace_back(HitToJson(hit));
  out["hits"] = std::move(hits);
  out["total_candidates"] = response.total_candidates;
  out["took_ms"] = response.took_ms;
  json::object timing;
  for (const retrieve::StageTiming& stage : response.timing) timing[stage.stage] = stage.ms;
  out["timing_ms"] = std::move(timing);
  json::array routes;
  for (const retrieve::Route route : response.routes) {
    routes.emplace_back(retrieve::RouteName(route));
  }
  out["routes"] = std::move(routes);
  out["query_language"] = text::LanguageCode(response.query_language);
  json::array notes;
  for (const std::string& note : response.notes) notes.emplace_back(note);
  out["notes"] = std::move(notes);
  return out;
}

}  // namespace sightline::server
