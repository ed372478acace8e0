#include "server/document_json.h"

#include <boost/json.hpp>

#include "base/clock.h"
#include "media/decoded.h"

namespace sightline::server {

namespace json = boost::json;

namespace {

json::array Strings(const std::vector<std::string>& texts) {
  json::array array;
  for (const std::string& text : texts) array.emplace_back(text);
  return array;
}

json::value Metadata(const std::string& text) {
  boost::system::error_code error;
  json::value value = json::parse(text, error);
  // The catalog checked it when it was stored.
  if (error || !value.is_object()) return json::object();
  return value;
}

json::value Progress(const store::Document& document) {
  if (document.state != store::DocumentState::kProcessing) return nullptr;
  const bool timed =
      document.kind == media::DocumentKind::kVideo || document.kind == media::DocumentKind::kAudio;
  json::object progress;
  progress["done"] = document.progress_done;
  progress["total"] =
      document.progress_total > 0 ? json::value(document.progress_total) : json::value(nullptr);
  progress["unit"] = timed ? "ms" : "pages";
  return progress;
}

}  // namespace

json::value TextOrNull(const std::string& text) {
  return text.empty() ? json::value(nullptr) : json::value(text);
}

json::object DocumentToJson(const store::Document& document) {
  json::object out;
  out["id"] = document.id;
  out["collection"] = document.collection;
  out["title"] = TextOrNull(document.title);
  out["filename"] = document.file_name;
  out["media_type"] = TextOrNull(document.media_type);
  const bool known = document.kind != media::DocumentKind::kUnknown;
  out["kind"] = known ? json::value(media::DocumentKindName(document.kind)) : json::value(nullptr);
  out["state"] = store::DocumentStateName(document.state);
  out["reason"] = TextOrNull(document.reason);
  out["reason_code"] = TextOrNull(document.reason_code);
  out["size_bytes"] = document.size_bytes;
  out["sha256"] = document.blob_sha256;
  out["page_count"] =
      document.page_count > 0 ? json::value(document.page_count) : json::value(nullptr);
  out["duration_ms"] =
      document.duration_ms >= 0 ? json::value(document.duration_ms) : json::value(nullptr);
  out["width"] = document.width > 0 ? json::value(document.width) : json::value(nullptr);
  out["height"] = document.height > 0 ? json::value(document.height) : json::value(nullptr);
  out["progress"] = Progress(document);
  out["tags"] = Strings(document.tags);
  out["language"] = TextOrNull(document.language);
  out["metadata"] = Metadata(document.metadata_json);
  out["created_at"] = base::FormatRfc3339(base::FromUnixMillis(document.created_at_ms));
  out["updated_at"] = base::FormatRfc3339(base::FromUnixMillis(document.updated_at_ms));
  out["preview_id"] = TextOrNull(document.preview_sha256);
  out["warnings"] = Strings(document.warnings);
  return out;
}

json::object BoxToJson(const media::Box& box, const store::Locator& locator) {
  return {{"x", box.x},
          {"y", box.y},
          {"width", box.width},
          {"height", box.height},
          {"page_width", locator.page_width},
          {"page_height", locator.page_height}};
}

json::object LocatorToJson(const store::Locator& locator, const store::Document& document) {
  json::object out;
  if (locator.page > 0) {
    out["page"] = locator.page;
    out["page_count"] =
        document.page_count > 0 ? json::value(document.page_count) : json::value(nullptr);
    out["page_label"] = TextOrNull(locator.page_label);
    out["box"] =
        locator.box.IsEmpty() ? json::value(nullptr) : json::value(BoxToJson(locator.box, locator));
  }
  if (locator.start_ms >= 0) {
    out["start_ms"] = locator.start_ms;
    out["end_ms"] = locator.end_ms;
    out["key_frame_ms"] =
        locator.key_frame_ms >= 0 ? json::value(locator.key_frame_ms) : json::value(nullptr);
    out["duration_ms"] =
        document.duration_ms >= 0 ? json::value(document.duration_ms) : json::value(nullptr);
  }
  return out;
}

json::object UnitToJson(const store::Unit& unit, const store::Document& document) {
  json::object out;
  out["id"] = std::to_string(unit.id);
  out["kind"] = store::UnitKindName(unit.kind);
  out["text"] = unit.text;
  out["language"] = text::LanguageCode(unit.language);
  out["locator"] = LocatorToJson(unit.locator, document);
  out["source"] = media::TextSourceName(unit.source);
  out["concepts"] = Strings(unit.concepts);
  out["preview_id"] = TextOrNull(unit.preview_sha256);
  return out;
}

}  // namespace sightline::server
