#include "media/decoder/block_builder.h"

#include <algorithm>
#include <cctype>
#include <cmath>
#include <cstddef>
#include <string>
#include <string_view>
#include <utility>

#include "base/utf8.h"
#include "media/decoder/line_kind.h"

namespace sightline::media {
namespace {

constexpr double kMaxLeading = 0.85;   // gap between lines of a block, in font sizes
constexpr double kMaxRowGap = 3;       // between rows of a table, in font sizes
constexpr double kSizeStep = 1.18;     // a larger step in font size begins a block
constexpr double kHeadingStep = 1.12;  // headings are this much larger than the body
constexpr std::size_t kMaxHeadingCodePoints = 120;
constexpr std::size_t kMaxBoldHeadingCodePoints = 80;
constexpr double kMargin = 0.075;  // of the page height: headers and footers
constexpr std::size_t kMaxMarginCodePoints = 100;

using Lines = std::vector<LayoutLine>;

bool IsBold(const LayoutLine& line) { return line.bold_share > 0.6; }

/// An indented first line after a line that began at the margin and ended before the edge, or
/// simply further right than both its neighbours, begins a paragraph.
bool StartsParagraph(const Lines& block, const LayoutLine& line) {
  const LayoutLine& last = block.back();
  const double size = std::max(line.font_size, 1.0);
  double left = last.box.x;
  double right = 0;
  for (const LayoutLine& other : block) {
    left = std::min(left, other.box.x);
    right = std::max(right, other.box.right());
  }
  const double indent = line.box.x - left;
  if (block.size() >= 2 && indent > 0.8 * size && indent < 4 * size &&
      std::abs(last.box.x - left) < 0.4 * size) {
    return true;
  }
  // A short last line whose successor begins at the margin and is full.
  return last.box.right() < right - 6 * size && line.box.right() > right - 2 * size &&
         block.size() >= 2;
}

bool BelongsTo(const Lines& block, const LayoutLine& line) {
  const LayoutLine& last = block.back();
  if (line.region != last.region) return false;
  if (line.table_row != last.table_row) return false;
  const double row_gap = line.box.y - last.box.bottom();
  if (line.table_row) return row_gap < kMaxRowGap * line.font_size;
  const double larger = std::max(line.font_size, last.font_size);
  const double smaller = std::max(0.1, std::min(line.font_size, last.font_size));
  if (larger / smaller > kSizeStep) return false;
  const double gap = line.box.y - last.box.bottom();
  if (gap > kMaxLeading * larger || gap < -larger) return false;
  const double shared =
      std::min(line.box.right(), last.box.right()) - std::max(line.box.x, last.box.x);
  if (shared <= 0) return false;
  if (StartsCaption(line.text)) return false;
  if (IsBold(line) != IsBold(last)) return false;
  const bool list = StartsListItem(block.front().text);
  if (StartsListItem(line.text)) {
    // Items of one list stay together; a list after text begins a block.
    return list && std::abs(line.box.x - block.front().box.x) < 3 * larger;
  }
  if (list) return line.box.x > block.front().box.x + 0.3 * larger;
  return !StartsParagraph(block, line);
}

bool IsHeading(const Lines& lines, double body_size) {
  std::size_t code_points = 0;
  bool bold = true;
  double size = 0;
  for (const LayoutLine& line : lines) {
    code_points += base::CountCodePoints(line.text);
    bold = bold && IsBold(line);
    size = std::max(size, line.font_size);
  }
  if (code_points < 2 || code_points > kMaxHeadingCodePoints || lines.size() > 3) return false;
  if (IsPageNumber(lines.front().text)) return false;
  if (body_size > 0 && size >= kHeadingStep * body_size) return true;
  const std::string& last = lines.back().text;
  const bool sentence = !last.empty() && (last.back() == '.' || last.back() == ',' ||
                                          last.back() == ';' || last.ends_with("。"));
  const bool fits = code_points <= kMaxBoldHeadingCodePoints && lines.size() <= 2 && !sentence;
  const bool body_or_more = size >= 0.95 * body_size;
  return fits && bold && body_or_more;
}

BlockKind KindOf(const Lines& lines, double body_size, double page_height) {
  const LayoutLine& first = lines.front();
  if (first.table_row) return BlockKind::kTable;
  if (StartsCaption(first.text)) return BlockKind::kCaption;
  const bool in_margin =
      first.box.bottom() < kMargin * page_height || first.box.y > (1 - kMargin) * page_height;
  if (IsPageNumber(first.text) && lines.size() == 1) return BlockKind::kOther;
  const bool large = body_size > 0 && first.font_size >= kHeadingStep * body_size;
  if (in_margin && lines.size() == 1 && !large &&
      base::CountCodePoints(first.text) <= kMaxMarginCodePoints) {
    return BlockKind::kOther;
  }
  if (IsHeading(lines, body_size)) return BlockKind::kHeading;
  if (StartsListItem(first.text) && !StartsNumberedHeading(first.text)) return BlockKind::kList;
  if (StartsListItem(first.text) && lines.size() > 1) return BlockKind::kList;
  return BlockKind::kParagraph;
}

bool IsLowerLetter(char c) { return std::islower(static_cast<unsigned char>(c)) != 0; }

/// "exam-" + "ple of" becomes "example" + "of": the second half moves up to the first.
void JoinHyphens(Lines& lines) {
  for (std::size_t i = 0; i + 1 < lines.size(); ++i) {
    std::string& text = lines[i].text;
    std::string& next = lines[i + 1].text;
    if (lines[i].table_row || next.empty() || !IsLowerLetter(next.front())) continue;
    std::size_t hyphen = 0;
    if (text.ends_with("-")) hyphen = 1;
    if (text.ends_with("\u2010") || text.ends_with("\u00AD"))
      hyphen = text.ends_with("\u2010") ? 3 : 2;
    if (hyphen == 0 && !lines[i].ends_with_soft_hyphen) continue;
    if (text.size() <= hyphen || !IsLowerLetter(text[text.size() - hyphen - 1])) continue;
    for (std::size_t n = 0; n < hyphen; ++n) text.pop_back();
    const std::size_t word_end = std::min(next.find(' '), next.size());
    text += next.substr(0, word_end);
    next = next.substr(std::min(word_end + 1, next.size()));
  }
  std::erase_if(lines, [](const LayoutLine& line) { return line.text.empty(); });
}

}  // namespace

std::vector<LayoutBlock> BuildBlocks(std::vector<LayoutLine> lines, double body_size,
                                     double page_height) {
  std::vector<Lines> groups;
  for (LayoutLine& line : lines) {
    if (groups.empty() || !BelongsTo(groups.back(), line)) groups.emplace_back();
    groups.back().push_back(std::move(line));
  }
  std::vector<LayoutBlock> blocks;
  for (Lines& group : groups) {
    LayoutBlock block;
    block.kind = KindOf(group, body_size, page_height);
    for (const LayoutLine& line : group) block.box = Union(block.box, line.box);
    JoinHyphens(group);
    for (LayoutLine& line : group) block.lines.push_back({std::move(line.text), line.box});
    blocks.push_back(std::move(block));
  }
  return blocks;
}

std::vector<LayoutLine> OrderRows(std::vector<TextRun> runs, bool table) {
  std::stable_sort(runs.begin(), runs.end(), [](const TextRun& a, const TextRun& b) {
    return a.box.y + a.box.height / 2 < b.box.y + b.box.height / 2;
  });
  std::vector<LayoutLine> rows;
  std::vector<TextRun> row;
  double middle = 0;
  const auto flush = [&] {
    if (!row.empty()) rows.push_back(JoinRuns(std::exchange(row, {}), table));
  };
  for (TextRun& run : runs) {
    const double own = run.box.y + run.box.height / 2;
    if (!row.empty() && own - middle > 0.55 * run.box.height) flush();
    if (row.empty()) middle = own;
    row.push_back(std::move(run));
  }
  flush();
  return rows;
}

bool StartsCaptionRun(const TextRun& run) { return StartsCaption(run.text); }

}  // namespace sightline::media
