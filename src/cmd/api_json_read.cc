#include <array>
#include <boost/json.hpp>
#include <charconv>
#include <optional>

#include "base/clock.h"
#include "cmd/api_json.h"
#include "cmd/json_member.h"

namespace sightline::cmd {
namespace {

namespace json = boost::json;
using base::DataLoss;
using base::Result;

constexpr std::array kDocumentKinds = {media::DocumentKind::kPdf,   media::DocumentKind::kImage,
                                       media::DocumentKind::kVideo, media::DocumentKind::kAudio,
                                       media::DocumentKind::kText,  media::DocumentKind::kUnknown};
constexpr std::array kDocumentStates = {
    store::DocumentState::kQueued, store::DocumentState::kProcessing, store::DocumentState::kReady,
    store::DocumentState::kFailed};
constexpr std::array kUnitKinds = {store::UnitKind::kPage, store::UnitKind::kRegion,
                                   store::UnitKind::kImage, store::UnitKind::kShot,
                                   store::UnitKind::kPassage};
constexpr std::array kTextSources = {media::TextSource::kText, media::TextSource::kOcr,
                                     media::TextSource::kSpeech, media::TextSource::kSubtitle,
                                     media::TextSource::kOnScreenText};
constexpr std::array kRoutes = {retrieve::Route::kLexical,         retrieve::Route::kDense,
                                retrieve::Route::kLateInteraction, retrieve::Route::kImage,
                                retrieve::Route::kConcept,         retrieve::Route::kDual};

/// The value whose name `name_of` gives is `name`.
template <typename Value, size_t kSize, typename NameOf>
std::optional<Value> FromName(const std::array<Value, kSize>& values, NameOf name_of,
                              std::string_view name) {
  for (const Value value : values) {
    if (name_of(value) == name) return value;
  }
  return std::nullopt;
}

std::vector<std::string> Texts(const json::object& object, std::string_view key) {
  std::vector<std::string> texts;
  const json::array* array = ArrayMember(object, key);
  if (array == nullptr) return texts;
  for (const json::value& value : *array) {
    if (const json::string* text = value.if_string())
      texts.emplace_back(text->data(), text->size());
  }
  return texts;
}

int64_t UnixMs(const json::object& object, std::string_view key) {
  const auto time = base::ParseRfc3339(TextMember(object, key));
  return time.ok() ? base::UnixMillis(*time) : 0;
}

media::Box ReadBox(const json::object& object) {
  return {NumberMember(object, "x"), NumberMember(object, "y"), NumberMember(object, "width"),
          NumberMember(object, "height")};
}

store::Locator ReadLocator(const json::object& parent) {
  store::Locator locator;
  const json::object* object = ObjectMember(parent, "locator");
  if (object == nullptr) return locator;
  locator.page = static_cast<int>(IntegerMember(*object, "page"));
  locator.page_label = TextMember(*object, "page_label");
  if (const json::object* box = ObjectMember(*object, "box")) {
    locator.box = ReadBox(*box);
    locator.page_width = NumberMember(*box, "page_width");
    locator.page_height = NumberMember(*box, "page_height");
  }
  locator.start_ms = IntegerMember(*object, "start_ms", -1);
  locator.end_ms = IntegerMember(*object, "end_ms", -1);
  locator.key_frame_ms = IntegerMember(*object, "key_frame_ms", -1);
  return locator;
}

/// Ids are strings in JSON, because a number there has 53 bits.
store::UnitId ReadUnitId(const json::object& object, std::string_view key) {
  const std::string text = TextMember(object, key);
  store::UnitId id = 0;
  std::from_chars(text.data(), text.data() + text.size(), id);
  return id;
}

Result<store::UnitKind> ReadUnitKind(const json::object& object) {
  const std::string name = TextMember(object, "kind");
  const auto kind = FromName(kUnitKinds, store::UnitKindName, name);
  if (!kind)
    return DataLoss("the server speaks of a unit kind that this program does not know: " + name);
  return *kind;
}

Result<retrieve::Hit> ReadHit(const json::value& value) {
  const json::object* object = value.if_object();
  if (object == nullptr) return DataLoss("a hit in the server's answer is not an object");
  retrieve::Hit hit;
  hit.rank = static_cast<int>(IntegerMember(*object, "rank"));
  hit.score = static_cast<float>(NumberMember(*object, "score"));
  hit.document.id = TextMember(*object, "document_id");
  hit.document.title = TextMember(*object, "title");
  hit.document.file_name = TextMember(*object, "filename");
  hit.document.kind =
      FromName(kDocumentKinds, media::DocumentKindName, TextMember(*object, "document_kind"))
          .value_or(media::DocumentKind::kUnknown);
  SIGHTLINE_ASSIGN_OR_RETURN(hit.unit.kind, ReadUnitKind(*object));
  hit.unit.id = ReadUnitId(*object, "unit_id");
  hit.unit.document_id = hit.document.id;
  hit.unit.locator = ReadLocator(*object);
  if (const json::object* locator = ObjectMember(*object, "locator")) {
    hit.document.page_count = static_cast<int>(IntegerMember(*locator, "page_count"));
    hit.document.duration_ms = IntegerMember(*locator, "duration_ms", -1);
  }
  if (const json::array* boxes = ArrayMember(*object, "boxes")) {
    for (const json::value& box : *boxes) {
      if (!box.is_object()) continue;
      hit.boxes.push_back(ReadBox(box.get_object()));
      hit.unit.locator.page_width = NumberMember(box.get_object(), "page_width");
      hit.unit.locator.page_height = NumberMember(box.get_object(), "page_height");
    }
  }
  hit.snippet.text = TextMember(*object, "snippet");
  if (const json::array* highlights = ArrayMember(*object, "highlights")) {
    for (const json::value& range : *highlights) {
      const json::array* pair = range.if_array();
      if (pair == nullptr || pair->size() != 2) continue;
      json::error_code error;
      const int begin = (*pair)[0].to_number<int>(error);
      const int end = error ? 0 : (*pair)[1].to_number<int>(error);
      if (!error) hit.snippet.highlights.emplace_back(begin, end);
    }
  }
  hit.unit.language = text::LanguageFromCode(TextMember(*object, "language"));
  hit.reasons = Texts(*object, "reasons");
  if (const json::object* scores = ObjectMember(*object, "scores")) {
    for (const retrieve::Route route : kRoutes) {
      const json::object* score = ObjectMember(*scores, retrieve::RouteName(route));
      if (score == nullptr) continue;
      hit.scores[route] = {static_cast<int>(IntegerMember(*score, "rank")),
                           static_cast<float>(NumberMember(*score, "score"))};
    }
  }
  hit.unit.preview_sha256 = TextMember(*object, "preview_id");
  hit.unit.preview_width = static_cast<int>(IntegerMember(*object, "width"));
  hit.unit.preview_height = static_cast<int>(IntegerMember(*object, "height"));
  return hit;
}

}  // namespace

Result<json::value> ParseJson(std::string_view text) {
  json::error_code error;
  json::value value = json::parse(json::string_view(text.data(), text.size()), error);
  if (error) return DataLoss("the server's answer is not JSON: " + error.message());
  return value;
}

Result<store::Document> ReadDocument(const json::value& value) {
  const json::object* object = value.if_object();
  if (object == nullptr) return DataLoss("a document in the server's answer is not an object");
  store::Document document;
  document.id = TextMember(*object, "id");
  document.collection = TextMember(*object, "collection");
  document.title = TextMember(*object, "title");
  document.file_name = TextMember(*object, "filename");
  document.media_type = TextMember(*object, "media_type");
  document.kind = FromName(kDocumentKinds, media::DocumentKindName, TextMember(*object, "kind"))
                      .value_or(media::DocumentKind::kUnknown);
  const std::string state = TextMember(*object, "state");
  const auto known = FromName(kDocumentStates, store::DocumentStateName, state);
  if (document.id.empty() || !known) {
    return DataLoss("a document in the server's answer has no id or an unknown state: " + state);
  }
  document.state = *known;
  document.reason = TextMember(*object, "reason");
  document.reason_code = TextMember(*object, "reason_code");
  document.size_bytes = IntegerMember(*object, "size_bytes");
  document.blob_sha256 = TextMember(*object, "sha256");
  document.page_count = static_cast<int>(IntegerMember(*object, "page_count"));
  document.duration_ms = IntegerMember(*object, "duration_ms", -1);
  if (const json::object* progress = ObjectMember(*object, "progress")) {
    document.progress_done = IntegerMember(*progress, "done");
    document.progress_total = IntegerMember(*progress, "total");
  }
  document.tags = Texts(*object, "tags");
  document.language = TextMember(*object, "language");
  if (const json::object* metadata = ObjectMember(*object, "metadata")) {
    document.metadata_json = json::serialize(*metadata);
  }
  document.created_at_ms = UnixMs(*object, "created_at");
  document.updated_at_ms = UnixMs(*object, "updated_at");
  document.preview_sha256 = TextMember(*object, "preview_id");
  document.warnings = Texts(*object, "warnings");
  return document;
}

Result<store::Unit> ReadUnit(const json::value& value) {
  const json::object* object = value.if_object();
  if (object == nullptr) return DataLoss("a unit in the server's answer is not an object");
  store::Unit unit;
  unit.id = ReadUnitId(*object, "id");
  SIGHTLINE_ASSIGN_OR_RETURN(unit.kind, ReadUnitKind(*object));
  unit.text = TextMember(*object, "text");
  unit.language = text::LanguageFromCode(TextMember(*object, "language"));
  unit.locator = ReadLocator(*object);
  unit.source = FromName(kTextSources, media::TextSourceName, TextMember(*object, "source"))
                    .value_or(media::TextSource::kText);
  unit.preview_sha256 = TextMember(*object, "preview_id");
  return unit;
}

Result<retrieve::SearchResponse> ReadSearchResponse(const json::value& value) {
  const json::object* object = value.if_object();
  const json::array* hits = object == nullptr ? nullptr : ArrayMember(*object, "hits");
  if (hits == nullptr) return DataLoss("the server's answer has no hits");
  retrieve::SearchResponse response;
  for (const json::value& hit : *hits) {
    SIGHTLINE_ASSIGN_OR_RETURN(retrieve::Hit read, ReadHit(hit));
    response.hits.push_back(std::move(read));
  }
  response.total_candidates = IntegerMember(*object, "total_candidates");
  response.took_ms = NumberMember(*object, "took_ms");
  if (const json::object* timing = ObjectMember(*object, "timing_ms")) {
    for (const json::key_value_pair& stage : *timing) {
      response.timing.push_back({std::string(stage.key()), NumberMember(*timing, stage.key())});
    }
  }
  for (const std::string& name : Texts(*object, "routes")) {
    if (const auto route = FromName(kRoutes, retrieve::RouteName, name)) {
      response.routes.push_back(*route);
    }
  }
  response.query_language = text::LanguageFromCode(TextMember(*object, "query_language"));
  response.notes = Texts(*object, "notes");
  return response;
}

}  // namespace sightline::cmd
