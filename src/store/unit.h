// Documents and units as the catalog keeps them.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "index/unit_set.h"
#include "media/decoded.h"
#include "media/geometry.h"
#include "text/language.h"

namespace sightline::store {

using index::UnitId;

/// How far a document is.
enum class DocumentState { kQueued, kProcessing, kReady, kFailed };
/// "queued", "processing", "ready", "failed".
const char* DocumentStateName(DocumentState state);

/// One source file in a collection.
struct Document {
  std::string id;  ///< ULID.
  std::string collection = "default";
  std::string file_name;
  std::string title;       ///< From the file, else the file name without extension.
  std::string media_type;  ///< By content; empty before it is decoded.
  media::DocumentKind kind = media::DocumentKind::kUnknown;
  DocumentState state = DocumentState::kQueued;
  std::string reason_code;  ///< Status code name when failed.
  std::string reason;       ///< For its owner, when failed.
  std::vector<std::string> warnings;
  std::string blob_sha256;  ///< 64 hex digits.
  std::int64_t size_bytes = 0;
  int page_count = 0;             ///< 0 when it has no pages.
  std::int64_t duration_ms = -1;  ///< -1 when it has none or it is not known.
  int width = 0;                  ///< Pixels, pictures and videos.
  int height = 0;
  std::string language;  ///< "zh", "en", "und"; empty before it is ready.
  std::vector<std::string> tags;
  std::string metadata_json = "{}";  ///< An object; at most 64 KiB.
  std::string preview_sha256;        ///< Blob of its first preview; may be empty.
  std::int64_t revision = 0;         ///< Grows with every commit of this document.
  std::int64_t progress_done = 0;    ///< Pages or milliseconds, while processing.
  std::int64_t progress_total = 0;   ///< 0 when not known.
  std::int64_t created_at_ms = 0;    ///< UTC, since 1970.
  std::int64_t updated_at_ms = 0;
};

/// What a unit is (DESIGN: words).
enum class UnitKind { kPage, kRegion, kImage, kShot, kPassage };
/// "page", "region", "image", "shot", "passage".
const char* UnitKindName(UnitKind kind);

/// Where a unit is in its document.
struct Locator {
  int page = 0;  ///< 1-based; 0 when the unit is not on a page.
  std::string page_label;
  media::Box box;  ///< Points; empty means the whole page.
  double page_width = 0;
  double page_height = 0;
  std::int64_t start_ms = -1;  ///< [start_ms, end_ms) from the first presented frame; -1: none.
  std::int64_t end_ms = -1;
  std::int64_t key_frame_ms = -1;
};

/// What retrieval returns.
struct Unit {
  UnitId id = 0;
  std::string document_id;
  /// The unit that a person is shown for this one: a region's page, a spoken passage's own id.
  UnitId parent_id = 0;
  UnitKind kind = UnitKind::kPassage;
  int ordinal = 0;  ///< Position in the document, 0-based.
  Locator locator;
  std::string text;  ///< Original text (not folded); may be empty.
  media::TextSource source = media::TextSource::kText;
  text::Language language = text::Language::kOther;
  media::BlockKind block = media::BlockKind::kOther;
  std::vector<std::string> concepts;  ///< Names of what a picture shows, most probable first.
  std::string preview_sha256;         ///< Blob; may be empty.
  int preview_width = 0;              ///< Pixels.
  int preview_height = 0;
};

}  // namespace sightline::store
