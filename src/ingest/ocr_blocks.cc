#include <algorithm>

#include "ingest/compose.h"

namespace sightline::ingest {
namespace {

media::Box Scaled(const media::Box& box, double factor) {
  return {box.x * factor, box.y * factor, box.width * factor, box.height * factor};
}

/// Whether `line` goes on the paragraph that ends with `last`: close below it, of like height, and
/// sharing most of the narrower one's width. Lines side by side on one row also belong together.
bool Continues(const media::Box& last, const media::Box& line) {
  const double height = std::max(last.height, line.height);
  if (std::min(last.height, line.height) < 0.5 * height) return false;
  const double overlap = std::min(last.right(), line.right()) - std::max(last.x, line.x);
  const double gap = line.y - last.bottom();
  const bool below =
      gap < 0.8 * height && gap > -0.5 * height && overlap > 0.4 * std::min(last.width, line.width);
  const double rows = std::min(last.bottom(), line.bottom()) - std::max(last.y, line.y);
  const double side = line.x - last.right();
  const bool beside = rows > 0.6 * height && side > -0.2 * height && side < 2.0 * height;
  return below || beside;
}

}  // namespace

std::vector<media::LayoutBlock> BlocksFromOcr(std::span<const model::OcrLine> lines,
                                              double pixels_per_point) {
  std::vector<media::LayoutBlock> blocks;
  const double factor = pixels_per_point > 0 ? 1.0 / pixels_per_point : 1.0;
  for (const model::OcrLine& line : lines) {
    if (line.text.empty()) continue;
    media::TextLine placed{line.text, Scaled(line.box, factor)};
    if (blocks.empty() || !Continues(blocks.back().lines.back().box, placed.box)) {
      blocks.push_back({media::BlockKind::kParagraph, placed.box, {}});
    }
    media::LayoutBlock& block = blocks.back();
    block.box = media::Union(block.box, placed.box);
    block.lines.push_back(std::move(placed));
  }
  return blocks;
}

}  // namespace sightline::ingest
