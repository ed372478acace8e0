#include "media/decoder/text_runs.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "base/utf8.h"

namespace sightline::media {
namespace {

// All in parts of the font size.
constexpr double kRunGap = 0.85;      // a wider gap ends the run
constexpr double kBackStep = 1.0;     // a character further back begins a new one
constexpr double kWordGap = 0.28;     // a wider gap is a space even when none was drawn
constexpr double kMinOverlap = 0.35;  // of the lower box: less is another line

std::string_view LigatureLetters(char32_t code) {
  constexpr std::string_view kLetters[] = {"ff", "fi", "fl", "ffi", "ffl", "st", "st"};
  if (code >= 0xFB00 && code <= 0xFB06) return kLetters[code - 0xFB00];
  return {};
}

void AppendChar(char32_t code, std::string& text) {
  const std::string_view letters = LigatureLetters(code);
  if (letters.empty()) {
    base::AppendUtf8(code, text);
  } else {
    text.append(letters);
  }
}

double VerticalOverlap(const Box& a, const Box& b) {
  const double shared = std::min(a.bottom(), b.bottom()) - std::max(a.y, b.y);
  return shared / std::max(0.01, std::min(a.height, b.height));
}

/// Grows one run character by character.
class RunBuilder {
 public:
  explicit RunBuilder(std::vector<TextRun>& out) : out_(out) {}

  void Add(const PageChar& c, const Box& box) {
    if (!Continues(c, box)) Flush();
    if (run_.char_count > 0 && NeedsSpace(c, box)) run_.text.push_back(' ');
    AppendChar(c.code, run_.text);
    run_.box = Union(run_.box, box);
    run_.font_size = std::max(run_.font_size, c.font_size);
    run_.char_count += 1;
    run_.bold_count += c.bold ? 1 : 0;
    run_.ends_with_soft_hyphen = c.soft_hyphen;
    last_code_ = c.code;
    last_box_ = box;
    last_size_ = c.font_size;
  }

  void Flush() {
    if (run_.char_count > 0) out_.push_back(std::exchange(run_, TextRun()));
  }

 private:
  bool Continues(const PageChar& c, const Box& box) const {
    if (run_.char_count == 0) return false;
    const double size = std::max(c.font_size, last_size_);
    const double gap = box.x - last_box_.right();
    if (gap > kRunGap * size || gap < -kBackStep * size - last_box_.width) return false;
    // Not before the run itself: a line that starts again at the left.
    if (box.x < run_.box.x - 0.5 * size) return false;
    return VerticalOverlap(last_box_, box) >= kMinOverlap || VerticalOverlap(run_.box, box) >= 0.75;
  }

  bool NeedsSpace(const PageChar& c, const Box& box) const {
    const double gap = box.x - last_box_.right();
    const double size = std::max(c.font_size, last_size_);
    const bool parted = c.space_before || gap > kWordGap * size;
    return parted && WantsSpace(last_code_, c.code);
  }

  std::vector<TextRun>& out_;
  TextRun run_;  // empty: none is open
  char32_t last_code_ = 0;
  Box last_box_;
  double last_size_ = 0;
};

}  // namespace

bool IsCjk(char32_t code) {
  return (code >= 0x2E80 && code <= 0x303F) || (code >= 0x3040 && code <= 0x30FF) ||
         (code >= 0x3400 && code <= 0x9FFF) || (code >= 0xF900 && code <= 0xFAFF) ||
         (code >= 0xFF01 && code <= 0xFF60) || (code >= 0x20000 && code <= 0x3FFFF);
}

bool WantsSpace(char32_t before, char32_t after) { return !(IsCjk(before) && IsCjk(after)); }

Box ToReadingFrame(const Box& box, TextDirection direction, double page_width, double page_height) {
  switch (direction) {
    case TextDirection::kRight:
      return box;
    case TextDirection::kDown:
      return {box.y, page_width - box.right(), box.height, box.width};
    case TextDirection::kLeft:
      return {page_width - box.right(), page_height - box.bottom(), box.width, box.height};
    case TextDirection::kUp:
      return {page_height - box.bottom(), box.x, box.height, box.width};
  }
  return box;
}

Box FromReadingFrame(const Box& box, TextDirection direction, double page_width,
                     double page_height) {
  switch (direction) {
    case TextDirection::kRight:
      return box;
    case TextDirection::kDown:
      return {page_width - box.bottom(), box.x, box.height, box.width};
    case TextDirection::kLeft:
      return {page_width - box.right(), page_height - box.bottom(), box.width, box.height};
    case TextDirection::kUp:
      return {box.y, page_height - box.right(), box.height, box.width};
  }
  return box;
}

std::vector<TextRun> BuildRuns(const PageContent& page, TextDirection direction) {
  std::vector<TextRun> runs;
  RunBuilder builder(runs);
  for (const PageChar& c : page.chars) {
    if (c.direction != direction) continue;
    builder.Add(c, ToReadingFrame(c.box, direction, page.width, page.height));
  }
  builder.Flush();
  return runs;
}

}  // namespace sightline::media
