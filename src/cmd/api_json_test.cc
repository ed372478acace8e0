#include "cmd/api_json.h"

#include <gtest/gtest.h>

#include <boost/json.hpp>

#include "server/document_json.h"
#include "server/search_json.h"

namespace sightline::cmd {
namespace {

namespace json = boost::json;

store::Document Video() {
  store::Document document;
  document.id = "01JDXW0000000000000000000A";
  document.collection = "videos";
  document.file_name = "泵.mp4";
  document.title = "水泵";
  document.media_type = "video/mp4";
  document.kind = media::DocumentKind::kVideo;
  document.state = store::DocumentState::kProcessing;
  document.warnings = {"no sound"};
  document.blob_sha256 = std::string(64, 'a');
  document.size_bytes = int64_t{5} << 33;
  document.duration_ms = 751'000;
  document.language = "zh";
  document.tags = {"demo", "泵"};
  document.metadata_json = R"({"room":"B2"})";
  document.progress_done = 1000;
  document.progress_total = 751'000;
  document.created_at_ms = 1'893'456'000'123;
  document.updated_at_ms = 1'893'456'001'000;
  return document;
}

TEST(ApiJson, DocumentsComeBackAsTheyWere) {
  const store::Document sent = Video();
  const auto read = ReadDocument(server::DocumentToJson(sent));
  ASSERT_TRUE(read.ok()) << read.status().ToString();
  EXPECT_EQ(read->id, sent.id);
  EXPECT_EQ(read->collection, sent.collection);
  EXPECT_EQ(read->file_name, sent.file_name);
  EXPECT_EQ(read->title, sent.title);
  EXPECT_EQ(read->kind, sent.kind);
  EXPECT_EQ(read->state, sent.state);
  EXPECT_EQ(read->warnings, sent.warnings);
  EXPECT_EQ(read->blob_sha256, sent.blob_sha256);
  EXPECT_EQ(read->size_bytes, sent.size_bytes);
  EXPECT_EQ(read->page_count, 0);
  EXPECT_EQ(read->duration_ms, sent.duration_ms);
  EXPECT_EQ(read->tags, sent.tags);
  EXPECT_EQ(read->metadata_json, sent.metadata_json);
  EXPECT_EQ(read->progress_done, sent.progress_done);
  EXPECT_EQ(read->progress_total, sent.progress_total);
  EXPECT_EQ(read->created_at_ms, sent.created_at_ms);
  EXPECT_EQ(read->updated_at_ms, sent.updated_at_ms);
}

TEST(ApiJson, AnswersComeBackAsTheyWere) {
  retrieve::SearchResponse sent;
  retrieve::Hit hit;
  hit.rank = 1;
  hit.score = 0.5F;
  hit.document = Video();
  hit.document.page_count = 62;
  hit.unit.id = int64_t{1} << 60;  // more than a JSON number holds exactly
  hit.unit.kind = store::UnitKind::kPage;
  hit.unit.locator.page = 4;
  hit.unit.locator.page_label = "iv";
  hit.unit.locator.page_width = 595;
  hit.unit.locator.page_height = 842;
  hit.unit.language = text::Language::kChinese;
  hit.unit.preview_sha256 = std::string(64, 'b');
  hit.boxes = {{10, 20, 30, 40}};
  hit.snippet = {"水泵把水送上去", {{0, 2}, {3, 4}}};
  hit.reasons = {"text", "on_screen_text"};
  hit.scores[retrieve::Route::kLexical] = {3, 7.5F};
  sent.hits.push_back(hit);
  sent.total_candidates = 12;
  sent.query_language = text::Language::kChinese;
  sent.routes = {retrieve::Route::kLexical, retrieve::Route::kDense};
  sent.timing = {{"encode", 1.5}};
  sent.notes = {"no speech model"};
  const auto read = ReadSearchResponse(server::SearchToJson(sent));
  ASSERT_TRUE(read.ok()) << read.status().ToString();
  ASSERT_EQ(read->hits.size(), 1U);
  const retrieve::Hit& got = read->hits.front();
  EXPECT_EQ(got.unit.id, hit.unit.id);
  EXPECT_EQ(got.unit.kind, hit.unit.kind);
  EXPECT_EQ(got.unit.locator.page, 4);
  EXPECT_EQ(got.unit.locator.page_label, "iv");
  EXPECT_EQ(got.document.page_count, 62);
  EXPECT_EQ(got.document.title, hit.document.title);
  EXPECT_EQ(got.boxes, hit.boxes);
  EXPECT_EQ(got.snippet.text, hit.snippet.text);
  EXPECT_EQ(got.snippet.highlights, hit.snippet.highlights);
  EXPECT_EQ(got.reasons, hit.reasons);
  EXPECT_EQ(got.scores.at(retrieve::Route::kLexical).rank, 3);
  EXPECT_EQ(got.unit.preview_sha256, hit.unit.preview_sha256);
  EXPECT_EQ(read->routes, sent.routes);
  EXPECT_EQ(read->notes, sent.notes);
  EXPECT_EQ(read->query_language, sent.query_language);
}

TEST(ApiJson, FiltersMeanTheSameOnTheOtherSide) {
  const std::string text =
      R"({"must":[{"key":"kind","match":{"value":"page"}},{"key":"page","range":{"gte":3,"lt":9}}],)"
      R"("must_not":[{"key":"tag","match":{"any":["draft","old"]}}]})";
  const auto filter = store::ParseFilter(text);
  ASSERT_TRUE(filter.ok()) << filter.status().ToString();
  const auto again = store::ParseFilter(json::serialize(FilterJson(*filter)));
  ASSERT_TRUE(again.ok()) << again.status().ToString();
  ASSERT_EQ(again->must.size(), 2U);
  EXPECT_EQ(again->must[0].key, "kind");
  EXPECT_EQ(again->must[0].any_of, filter->must[0].any_of);
  EXPECT_EQ(again->must[1].gte, filter->must[1].gte);
  EXPECT_EQ(again->must[1].lt, filter->must[1].lt);
  ASSERT_EQ(again->must_not.size(), 1U);
  EXPECT_EQ(again->must_not[0].any_of, filter->must_not[0].any_of);
}

TEST(ApiJson, AnswersOfAnotherServerAreFailures) {
  for (const char* text : {"[]", "{}", "{\"hits\":[1]}", "{\"hits\":[{\"kind\":\"hologram\"}]}",
                           "{\"hits\":{}}", "null"}) {
    const auto value = ParseJson(text);
    ASSERT_TRUE(value.ok());
    EXPECT_EQ(ReadSearchResponse(*value).status().code(), base::StatusCode::kDataLoss) << text;
  }
  EXPECT_EQ(ParseJson("{").status().code(), base::StatusCode::kDataLoss);
  EXPECT_FALSE(ReadDocument(json::object{{"id", "x"}, {"state", "dreaming"}}).ok());
  EXPECT_FALSE(ReadUnit(json::value(3)).ok());
}

}  // namespace
}  // namespace sightline::cmd
