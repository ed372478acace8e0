// Traditional to simplified Chinese through OpenCC's t2s tables, code point for code point.
#pragma once

#include <string>

#include "base/status.h"

namespace sightline::text {

/// Converts the Chinese runs of valid UTF-8 `text`. The number of code points never changes: a run
/// whose phrase conversion has another length is converted character by character. Thread-safe.
void ToSimplifiedInPlace(std::string* text);

/// Ok when OpenCC and its `t2s` tables could be loaded. Loads them on first use.
base::Status SimplifiedChineseStatus();

}  // namespace sightline::text
