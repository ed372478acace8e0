#include "media/decoder/layout.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <optional>
#include <string>
#include <utility>

#include "base/utf8.h"
#include "media/decoder/block_builder.h"
#include "media/decoder/figure_finder.h"
#include "media/decoder/reading_order.h"
#include "media/decoder/text_runs.h"

namespace sightline::media {
namespace {

// Labels of axes and legends stand this near (in font sizes) to what they label.
constexpr double kLabelReach = 0.9;
// A run of more characters beside a figure is text, not a label.
constexpr int kMaxLabelChars = 40;
constexpr double kLabelSize = 0.95;  // of the running text
constexpr int kMaxTickChars = 5;
// A longer line on a figure is text that its frame or background lies under.
constexpr int kMaxFigureLineChars = 70;

double ShareInside(const Box& inner, const Box& outer) {
  const double area = inner.width * inner.height;
  return area > 0 ? IntersectionArea(inner, outer) / area : 0;
}

/// A figure or table region with the runs that belong to it.
struct OwnedRegion {
  GraphicRegion region;
  Box box;  ///< Grows over the labels.
  std::vector<TextRun> runs;
};

double Distance(const Box& a, const Box& b) {
  const double dx = std::max({0.0, a.x - b.right(), b.x - a.right()});
  const double dy = std::max({0.0, a.y - b.bottom(), b.y - a.bottom()});
  return std::hypot(dx, dy);
}

/// Labels of axes, legends and parts are short, and smaller than the text or no words at all.
bool IsLabel(const TextRun& run, double body_size) {
  if (run.char_count > kMaxLabelChars || StartsCaptionRun(run)) return false;
  return run.font_size < kLabelSize * body_size || run.char_count <= kMaxTickChars;
}

/// The region that a run stands in; null for none.
OwnedRegion* RegionAround(const TextRun& run, std::vector<OwnedRegion>& regions) {
  for (OwnedRegion& region : regions) {
    const bool text = !region.region.ruled_table &&
                      (run.char_count > kMaxFigureLineChars || StartsCaptionRun(run));
    if (!text && ShareInside(run.box, region.region.box) > 0.5) return &region;
  }
  return nullptr;
}

/// The figure that a label stands beside; null for none.
OwnedRegion* RegionBeside(const TextRun& run, std::vector<OwnedRegion>& regions, double body_size) {
  if (!IsLabel(run, body_size)) return nullptr;
  for (OwnedRegion& region : regions) {
    if (region.region.ruled_table) continue;
    if (Distance(run.box, region.box) <= kLabelReach * run.font_size) return &region;
  }
  return nullptr;
}

/// Moves the runs that stand in a figure or ruled table, and the labels beside a figure, into it.
std::vector<OwnedRegion> TakeRegions(const PageContent& page, double body_size,
                                     std::vector<TextRun>& runs) {
  std::vector<OwnedRegion> owned;
  for (const GraphicRegion& region : FindFigures(page)) owned.push_back({region, region.box, {}});
  const auto take = [&](auto&& home_of) {
    std::vector<TextRun> rest;
    for (TextRun& run : runs) {
      OwnedRegion* home = home_of(run);
      if (home == nullptr) {
        rest.push_back(std::move(run));
        continue;
      }
      home->box = Union(home->box, run.box);
      home->runs.push_back(std::move(run));
    }
    runs = std::move(rest);
  };
  take([&](const TextRun& run) { return RegionAround(run, owned); });
  // Twice: the name of an axis stands beside its numbers.
  for (int pass = 0; pass < 2; ++pass) {
    take([&](const TextRun& run) { return RegionBeside(run, owned, body_size); });
  }
  return owned;
}

LayoutBlock RegionBlock(OwnedRegion owned) {
  LayoutBlock block;
  block.kind = owned.region.ruled_table ? BlockKind::kTable : BlockKind::kFigure;
  block.box = owned.box;
  for (LayoutLine& line : OrderRows(std::move(owned.runs), owned.region.ruled_table)) {
    block.lines.push_back({std::move(line.text), line.box});
  }
  return block;
}

/// Puts a figure before the first block that lies below its top and beside or under it.
void InsertByPosition(LayoutBlock block, std::vector<LayoutBlock>& blocks) {
  auto best = blocks.end();
  for (auto it = blocks.begin(); it != blocks.end(); ++it) {
    const double shared =
        std::min(it->box.right(), block.box.right()) - std::max(it->box.x, block.box.x);
    const bool same_column = shared > 0.3 * std::min(it->box.width, block.box.width);
    if (same_column && it->box.y + it->box.height / 2 > block.box.y + block.box.height / 2) {
      best = it;
      break;
    }
  }
  blocks.insert(best, std::move(block));
}

void TurnBack(LayoutBlock& block, TextDirection direction, const PageContent& page) {
  block.box = FromReadingFrame(block.box, direction, page.width, page.height);
  for (TextLine& line : block.lines) {
    line.box = FromReadingFrame(line.box, direction, page.width, page.height);
  }
}

TextDirection MainDirection(const PageContent& page) {
  int counts[4] = {};
  for (const PageChar& c : page.chars) ++counts[static_cast<int>(c.direction)];
  const auto* most = std::max_element(std::begin(counts), std::end(counts));
  return static_cast<TextDirection>(most - std::begin(counts));
}

}  // namespace

void BodySize::Add(const PageContent& page) {
  for (const PageChar& c : page.chars) {
    ++chars_by_tenth_pt_[static_cast<int>(std::lround(std::clamp(c.font_size, 0.0, 500.0) * 10))];
  }
}

double BodySize::Points() const {
  const auto most =
      std::max_element(chars_by_tenth_pt_.begin(), chars_by_tenth_pt_.end(),
                       [](const auto& a, const auto& b) { return a.second < b.second; });
  return most == chars_by_tenth_pt_.end() ? 0 : most->first / 10.0;
}

std::vector<LayoutBlock> LayoutPage(const PageContent& page, const BodySize& body) {
  const TextDirection main = MainDirection(page);
  std::vector<LayoutBlock> blocks;
  std::vector<OwnedRegion> regions;
  for (int turn = 0; turn < 4; ++turn) {
    const auto direction = static_cast<TextDirection>((static_cast<int>(main) + turn) % 4);
    std::vector<TextRun> runs = BuildRuns(page, direction);
    // Figures are found upright; they take the labels that run across the page.
    if (direction == TextDirection::kRight) {
      regions = TakeRegions(page, body.Points(), runs);
    }
    if (runs.empty()) continue;
    const bool turned = direction == TextDirection::kDown || direction == TextDirection::kUp;
    const double frame_height = turned ? page.width : page.height;
    for (LayoutBlock& block :
         BuildBlocks(OrderLines(std::move(runs)), body.Points(), frame_height)) {
      TurnBack(block, direction, page);
      blocks.push_back(std::move(block));
    }
  }
  for (OwnedRegion& region : regions) InsertByPosition(RegionBlock(std::move(region)), blocks);
  return blocks;
}

bool IsTextUsable(const PageContent& page) {
  std::size_t garbage = 0;
  for (const PageChar& c : page.chars) {
    const bool is_private = (c.code >= 0xE000 && c.code <= 0xF8FF) || c.code >= 0xF0000;
    garbage += is_private || c.code == base::kReplacementCharacter || c.code < 0x20 ? 1 : 0;
  }
  return !page.chars.empty() && garbage * 3 < page.chars.size();
}

}  // namespace sightline::media
