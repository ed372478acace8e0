// Plain text files: encoding, bounds, pieces at blank lines.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "base/status.h"
#include "media/decoder/decode_context.h"

namespace sightline::media {

/// Decodes a text file; registered for DocumentKind::kText.
base::Status DecodeText(const DecodeContext& context);

/// The pieces of `text` (valid UTF-8) between blank lines and page ends, trimmed. Short neighbours
/// (a heading and what follows) are joined until `target_bytes`; a longer piece is cut at line
/// ends, else at spaces, else between characters, so that none is over `max_bytes`.
std::vector<std::string> SplitText(std::string_view text, std::size_t target_bytes,
                                   std::size_t max_bytes);

}  // namespace sightline::media
