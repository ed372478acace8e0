#include "cmd/table.h"

#include <algorithm>

#include "base/check.h"
#include "cmd/display_text.h"

namespace sightline::cmd {
namespace {

constexpr size_t kGapColumns = 2;
constexpr size_t kMinFlexibleColumns = 8;

std::string Cell(const std::string& text, size_t width, Column::Align align) {
  std::string fitted = FitToWidth(text, width);
  const std::string padding(width - std::min(width, DisplayWidth(fitted)), ' ');
  return align == Column::Align::kLeft ? fitted + padding : padding + fitted;
}

}  // namespace

void Table::AddRow(std::vector<std::string> cells) {
  CHECK(cells.size() == columns_.size());
  for (std::string& cell : cells) cell = Printable(cell);
  rows_.push_back(std::move(cells));
}

std::string Table::Render(size_t width) const {
  std::vector<size_t> widths;
  size_t total = 0;
  for (size_t c = 0; c < columns_.size(); ++c) {
    size_t widest = DisplayWidth(columns_[c].title);
    for (const auto& row : rows_) widest = std::max(widest, DisplayWidth(row[c]));
    widths.push_back(widest);
    total += widest + (c > 0 ? kGapColumns : 0);
  }
  for (size_t c = 0; c < columns_.size(); ++c) {
    if (width == 0 || total <= width || !columns_[c].is_flexible) continue;
    const size_t excess = total - width;
    const size_t narrowed = widths[c] > excess ? widths[c] - excess : 0;
    widths[c] = std::min(widths[c], std::max(narrowed, kMinFlexibleColumns));
  }
  std::string text;
  const auto add_line = [&](const auto& cell_of) {
    std::string line;
    for (size_t c = 0; c < columns_.size(); ++c) {
      if (c > 0) line += std::string(kGapColumns, ' ');
      line += Cell(cell_of(c), widths[c], columns_[c].align);
    }
    line.erase(line.find_last_not_of(' ') + 1);
    text += line + "\n";
  };
  add_line([this](size_t c) { return columns_[c].title; });
  for (const auto& row : rows_) add_line([&row](size_t c) { return row[c]; });
  return text;
}

}  // namespace sightline::cmd
