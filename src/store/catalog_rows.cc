#include "store/catalog_rows.h"

#include <boost/json.hpp>

#include "base/utf8.h"
#include "store/stored_names.h"

namespace sightline::store {
namespace {

using base::OkStatus;
using base::Result;
using base::Status;

constexpr std::size_t kMaxMetadataBytes = std::size_t{64} << 10U;
constexpr std::size_t kMaxNameBytes = 512;

std::string ToJson(const std::vector<std::string>& texts) {
  if (texts.empty()) return "[]";
  boost::json::array array;
  for (const std::string& text : texts) array.emplace_back(CleanText(text));
  return boost::json::serialize(array);
}

Result<std::vector<std::string>> FromJson(std::string_view json) {
  std::vector<std::string> texts;
  if (json == "[]") return texts;
  boost::system::error_code error;
  const boost::json::value value = boost::json::parse(json, error);
  if (error || !value.is_array()) return base::DataLoss("the catalog holds a damaged list");
  for (const boost::json::value& item : value.get_array()) {
    if (!item.is_string()) return base::DataLoss("the catalog holds a damaged list");
    texts.emplace_back(item.get_string());
  }
  return texts;
}

Status CheckName(std::string_view what, std::string_view name) {
  if (name.empty() || name.size() > kMaxNameBytes || !base::IsValidUtf8(name) ||
      name.find('\0') != std::string_view::npos) {
    return base::InvalidArgument(std::string(what) + " must be 1 to 512 bytes of UTF-8: '" +
                                 base::SanitizeUtf8(base::TruncateUtf8(name, 80)) + "'");
  }
  return OkStatus();
}

Status CheckMetadata(const std::string& json) {
  if (json.size() > kMaxMetadataBytes) {
    return base::InvalidArgument("metadata must have at most 65536 bytes: " +
                                 std::to_string(json.size()));
  }
  boost::system::error_code error;
  const boost::json::value value = boost::json::parse(json, error);
  if (error || !value.is_object()) return base::InvalidArgument("metadata must be a JSON object");
  return OkStatus();
}

}  // namespace

Status ValidateDocument(const Document& document) {
  SIGHTLINE_RETURN_IF_ERROR(CheckName("a document id", document.id));
  SIGHTLINE_RETURN_IF_ERROR(CheckName("a collection name", document.collection));
  const bool hex = document.blob_sha256.size() == 64 &&
                   document.blob_sha256.find_first_not_of("0123456789abcdef") == std::string::npos;
  if (!hex) {
    return base::InvalidArgument("a blob digest must be 64 hex digits: '" +
                                 CleanText(document.blob_sha256) + "'");
  }
  for (const std::string& tag : document.tags) SIGHTLINE_RETURN_IF_ERROR(CheckName("a tag", tag));
  return CheckMetadata(document.metadata_json);
}

Result<Document> ReadDocument(const SqliteStatement& row) {
  Document document;
  document.id = row.Text(0);
  document.collection = row.Text(1);
  SIGHTLINE_ASSIGN_OR_RETURN(document.state, FromStoredName<DocumentState>(row.Text(2)));
  SIGHTLINE_ASSIGN_OR_RETURN(document.kind, FromStoredName<media::DocumentKind>(row.Text(3)));
  document.media_type = row.Text(4);
  document.language = row.Text(5);
  document.blob_sha256 = row.Text(6);
  document.size_bytes = row.Int(7);
  document.preview_sha256 = row.Text(8);
  document.page_count = static_cast<int>(row.Int(9));
  document.duration_ms = row.Int(10);
  document.width = static_cast<int>(row.Int(11));
  document.height = static_cast<int>(row.Int(12));
  document.revision = row.Int(13);
  document.progress_done = row.Int(14);
  document.progress_total = row.Int(15);
  document.created_at_ms = row.Int(16);
  document.updated_at_ms = row.Int(17);
  document.file_name = row.Text(18);
  document.title = row.Text(19);
  document.reason_code = row.Text(20);
  document.reason = row.Text(21);
  SIGHTLINE_ASSIGN_OR_RETURN(document.tags, FromJson(row.Text(22)));
  SIGHTLINE_ASSIGN_OR_RETURN(document.warnings, FromJson(row.Text(23)));
  document.metadata_json = row.Text(24);
  return document;
}

Result<Unit> ReadUnit(const SqliteStatement& row) {
  Unit unit;
  unit.id = row.Int(0);
  unit.document_id = row.Text(1);
  unit.parent_id = row.Int(2);
  SIGHTLINE_ASSIGN_OR_RETURN(unit.kind, FromStoredName<UnitKind>(row.Text(3)));
  unit.ordinal = static_cast<int>(row.Int(4));
  SIGHTLINE_ASSIGN_OR_RETURN(unit.source, FromStoredName<media::TextSource>(row.Text(5)));
  unit.language = text::LanguageFromCode(row.Text(6));
  SIGHTLINE_ASSIGN_OR_RETURN(unit.block, FromStoredName<media::BlockKind>(row.Text(7)));
  unit.locator.page = static_cast<int>(row.Int(8));
  unit.locator.start_ms = row.Int(9);
  unit.locator.end_ms = row.Int(10);
  unit.locator.key_frame_ms = row.Int(11);
  unit.locator.box = {row.Double(12), row.Double(13), row.Double(14), row.Double(15)};
  unit.locator.page_width = row.Double(16);
  unit.locator.page_height = row.Double(17);
  unit.locator.page_label = row.Text(18);
  unit.preview_sha256 = row.Text(19);
  unit.preview_width = static_cast<int>(row.Int(20));
  unit.preview_height = static_cast<int>(row.Int(21));
  SIGHTLINE_ASSIGN_OR_RETURN(unit.concepts, FromJson(row.Text(22)));
  unit.text = row.Text(23);
  return unit;
}

Status InsertDocument(SqliteConnection& connection, std::int64_t collection_id,
                      const Document& document) {
  return connection.Run(
      "INSERT INTO documents(id, collection_id, state, kind, media_type, language, blob_sha256, "
      "size_bytes, preview_sha256, page_count, duration_ms, width, height, revision, "
      "progress_done, progress_total, created_at_ms, updated_at_ms, file_name, title, reason_code, "
      "reason, tags, warnings, metadata) VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, "
      "?12, ?13, 0, ?14, ?15, ?16, ?17, ?18, ?19, ?20, ?21, ?22, ?23, ?24)",
      document.id, collection_id, StoredName(document.state), StoredName(document.kind),
      CleanText(document.media_type), CleanText(document.language), document.blob_sha256,
      document.size_bytes, CleanText(document.preview_sha256), document.page_count,
      document.duration_ms, document.width, document.height, document.progress_done,
      document.progress_total, document.created_at_ms, document.updated_at_ms,
      CleanText(document.file_name), CleanText(document.title), CleanText(document.reason_code),
      CleanText(document.reason), ToJson(document.tags), ToJson(document.warnings),
      document.metadata_json);
}

Result<bool> UpdateDocumentRow(SqliteConnection& connection, const Document& document,
                               std::int64_t updated_at_ms) {
  SIGHTLINE_RETURN_IF_ERROR(connection.Run(
      "UPDATE documents SET state = ?2, kind = ?3, media_type = ?4, language = ?5, "
      "preview_sha256 = ?6, page_count = ?7, duration_ms = ?8, width = ?9, height = ?10, "
      "progress_done = ?11, progress_total = ?12, updated_at_ms = ?13, file_name = ?14, "
      "title = ?15, reason_code = ?16, reason = ?17, tags = ?18, warnings = ?19, metadata = ?20 "
      "WHERE id = ?1",
      document.id, StoredName(document.state), StoredName(document.kind),
      CleanText(document.media_type), CleanText(document.language),
      CleanText(document.preview_sha256), document.page_count, document.duration_ms, document.width,
      document.height, document.progress_done, document.progress_total, updated_at_ms,
      CleanText(document.file_name), CleanText(document.title), CleanText(document.reason_code),
      CleanText(document.reason), ToJson(document.tags), ToJson(document.warnings),
      document.metadata_json));
  return connection.changes() > 0;
}

Status InsertUnits(SqliteConnection& connection, std::int64_t document_key,
                   const std::vector<Unit>& units) {
  SIGHTLINE_ASSIGN_OR_RETURN(
      SqliteStatement insert,
      connection.Prepare(
          "INSERT INTO units(id, document_key, parent_id, kind, ordinal, source, language, block, "
          "page, start_ms, end_ms, key_frame_ms, box_x, box_y, box_width, box_height, page_width, "
          "page_height, page_label, preview_sha256, preview_width, preview_height, concepts, text) "
          "VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12, ?13, ?14, ?15, ?16, ?17, "
          "?18, ?19, ?20, ?21, ?22, ?23, ?24)"));
  for (const Unit& unit : units) {
    const Locator& at = unit.locator;
    insert.Bind(unit.id, document_key, unit.parent_id, StoredName(unit.kind), unit.ordinal,
                StoredName(unit.source), text::LanguageCode(unit.language), StoredName(unit.block),
                at.page, at.start_ms, at.end_ms, at.key_frame_ms, at.box.x, at.box.y, at.box.width,
                at.box.height, at.page_width, at.page_height, CleanText(at.page_label),
                CleanText(unit.preview_sha256), unit.preview_width, unit.preview_height,
                ToJson(unit.concepts), CleanText(unit.text));
    SIGHTLINE_RETURN_IF_ERROR(insert.Run());
  }
  return OkStatus();
}

}  // namespace sightline::store
