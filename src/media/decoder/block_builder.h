// Lines to blocks: what stands together, and what it is.
#pragma once

#include <vector>

#include "media/decoded.h"
#include "media/decoder/reading_order.h"
#include "media/decoder/text_runs.h"

namespace sightline::media {

/// Groups lines (in reading order) into blocks and says what each is. `body_size` is the font size
/// of running text in points, `page_height` that of the lines' frame. Words that a hyphen parts at
/// a line end are whole afterwards, on the first of the two lines.
std::vector<LayoutBlock> BuildBlocks(std::vector<LayoutLine> lines, double body_size,
                                     double page_height);

/// The runs of one region as rows, top to bottom; cells of a table are parted by tabs.
std::vector<LayoutLine> OrderRows(std::vector<TextRun> runs, bool table);

/// Whether a run begins a caption.
bool StartsCaptionRun(const TextRun& run);

}  // namespace sightline::media
