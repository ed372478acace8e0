// Documents and units as rows of the catalog.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "store/sqlite_database.h"
#include "store/unit.h"

namespace sightline::store {

/// Columns of a document, for `SELECT`, as `ReadDocument` expects them; `d` is documents, `c`
/// collections.
inline constexpr std::string_view kDocumentColumns =
    "d.id, c.name, d.state, d.kind, d.media_type, d.language, d.blob_sha256, d.size_bytes, "
    "d.preview_sha256, d.page_count, d.duration_ms, d.width, d.height, d.revision, "
    "d.progress_done, d.progress_total, d.created_at_ms, d.updated_at_ms, d.file_name, d.title, "
    "d.reason_code, d.reason, d.tags, d.warnings, d.metadata, d.key";
/// Column of the key that `kDocumentColumns` ends with.
inline constexpr int kDocumentKeyColumn = 25;

/// Columns of a unit, for `SELECT`, as `ReadUnit` expects them; `u` is units, `d` documents.
inline constexpr std::string_view kUnitColumns =
    "u.id, d.id, u.parent_id, u.kind, u.ordinal, u.source, u.language, u.block, u.page, "
    "u.start_ms, u.end_ms, u.key_frame_ms, u.box_x, u.box_y, u.box_width, u.box_height, "
    "u.page_width, u.page_height, u.page_label, u.preview_sha256, u.preview_width, "
    "u.preview_height, u.concepts, u.text";

/// The document of the current row.
base::Result<Document> ReadDocument(const SqliteStatement& row);
/// The unit of the current row.
base::Result<Unit> ReadUnit(const SqliteStatement& row);

/// Inserts a document row. Texts are cleaned.
base::Status InsertDocument(SqliteConnection& connection, std::int64_t collection_id,
                            const Document& document);
/// Writes what may change of a document: not its id, collection, bytes, revision or creation time.
/// Returns whether there is such a document.
base::Result<bool> UpdateDocumentRow(SqliteConnection& connection, const Document& document,
                                     std::int64_t updated_at_ms);
/// Inserts unit rows of one document. Texts are cleaned.
base::Status InsertUnits(SqliteConnection& connection, std::int64_t document_key,
                         const std::vector<Unit>& units);

/// What of a document comes from outside and must be right before it is stored: ids, names, tags,
/// metadata (an object, at most 64 KiB).
base::Status ValidateDocument(const Document& document);

}  // namespace sightline::store
