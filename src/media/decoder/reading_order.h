// Runs to lines in reading order: columns before rows where the page has columns of text, rows
// where it has a table.
#pragma once

#include <string>
#include <vector>

#include "media/decoder/text_runs.h"
#include "media/geometry.h"

namespace sightline::media {

/// A line, or a row of a table.
struct LayoutLine {
  std::string text;
  Box box;
  double font_size = 0;
  double bold_share = 0;  ///< Of its characters, [0, 1].
  bool ends_with_soft_hyphen = false;
  /// Lines of different regions (columns, tables) never share a block.
  int region = 0;
  bool table_row = false;  ///< Cells are parted by tabs.
};

/// The runs as lines in the order in which a person reads them. Deterministic.
std::vector<LayoutLine> OrderLines(std::vector<TextRun> runs);

/// One line or table row of runs that stand side by side.
LayoutLine JoinRuns(std::vector<TextRun> runs, bool table_row);

}  // namespace sightline::media
