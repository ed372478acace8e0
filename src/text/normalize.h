// Folding: the one form in which text is indexed and asked, whatever its width, case or script
// variant was. The original stays what is shown; spans lead back to it.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "base/status.h"

namespace sightline::text {

/// Longest input that folding looks at; what is behind it is left out.
inline constexpr size_t kMaxFoldBytes = size_t{256} << 20;

/// Where a folded code point comes from: bytes `[begin, end)` and the index of the first code point
/// there. A byte that is not valid UTF-8 counts as one code point.
struct SourceSpan {
  uint32_t begin = 0;
  uint32_t end = 0;
  uint32_t code_point = 0;
};

/// Folded text with one span for each of its code points.
struct FoldedText {
  std::string text;
  std::vector<SourceSpan> spans;
};

/// Folds UTF-8: NFKC with case folding (Unicode NFKC_Casefold, so width, ligatures, compatibility
/// forms and invisible characters go too), then traditional to simplified Chinese (OpenCC t2s).
/// NUL and bytes that are not UTF-8 become spaces. Thread-safe. Deterministic.
std::string Fold(std::string_view utf8);

/// `Fold`, and where each folded code point comes from.
FoldedText FoldWithOffsets(std::string_view utf8);

/// Whether the tables of folding could be loaded (OpenCC reads files of the system). While this is
/// not ok, Chinese is folded without conversion; a process that indexes must not start then.
base::Status FoldingStatus();

}  // namespace sightline::text
