// Characters to runs: pieces of a line without a wide gap, the atoms of layout.
#pragma once

#include <string>
#include <vector>

#include "media/decoder/page_content.h"
#include "media/geometry.h"

namespace sightline::media {

/// A piece of one line. In the frame of its direction: as if its text ran to the right.
struct TextRun {
  std::string text;  ///< UTF-8
  Box box;
  double font_size = 0;  ///< Of its largest letters.
  int char_count = 0;
  int bold_count = 0;
  bool ends_with_soft_hyphen = false;
};

/// Whether `code` is written without spaces between words (Han, kana, full-width forms).
bool IsCjk(char32_t code);

/// Whether a space belongs between `before` and `after` when a gap or line end parts them: not
/// between two CJK characters.
bool WantsSpace(char32_t before, char32_t after);

/// The runs of the characters that run in `direction`, boxes turned by `ToReadingFrame`.
std::vector<TextRun> BuildRuns(const PageContent& page, TextDirection direction);

/// A box of the page in the frame in which text of `direction` runs to the right, and back.
Box ToReadingFrame(const Box& box, TextDirection direction, double page_width, double page_height);
Box FromReadingFrame(const Box& box, TextDirection direction, double page_width,
                     double page_height);

}  // namespace sightline::media
