// Names of enum values as they stand in the catalog. They are on disk: never change one.
#pragma once

#include <string_view>

#include "base/result.h"
#include "media/decoded.h"
#include "store/unit.h"

namespace sightline::store {

/// "queued", "processing", …
const char* StoredName(DocumentState value);
/// "page", "region", …
const char* StoredName(UnitKind value);
/// "pdf", "image", …
const char* StoredName(media::DocumentKind value);
/// "text", "ocr", …
const char* StoredName(media::TextSource value);
/// "paragraph", "heading", …
const char* StoredName(media::BlockKind value);

/// The inverse of `StoredName`; kDataLoss for a name that no version wrote.
template <typename Enum>
base::Result<Enum> FromStoredName(std::string_view name);

}  // namespace sightline::store
