// Which encoding a text file is in, and its text as UTF-8.
#pragma once

#include <string>
#include <string_view>

#include "base/result.h"

namespace sightline::media {

/// Whether the first bytes of a file can be text in UTF-8, UTF-16 or a Chinese double-byte
/// encoding: no control characters beside tabs, line and page ends. An empty file is none.
bool LooksLikeText(std::string_view head);

/// `bytes` as valid UTF-8 without NUL and byte order mark, with "\n" line ends. UTF-8 and UTF-16
/// are recognised by mark or content; GB18030, Big5 and other legacy encodings by ICU's detector on
/// the first 64 KiB. `encoding` (optional) gets the name. kInvalidArgument when it is no text.
base::Result<std::string> DecodeTextBytes(std::string_view bytes, std::string* encoding);

}  // namespace sightline::media
