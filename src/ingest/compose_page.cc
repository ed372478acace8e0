#include <algorithm>
#include <cmath>
#include <utility>

#include "ingest/compose.h"
#include "media/join_lines.h"
#include "text/language.h"

namespace sightline::ingest {
namespace {

using media::BlockKind;
using media::Box;
using media::DecodedPage;
using media::LayoutBlock;
using media::TextLine;

constexpr int kMaxFigureCrops = 6;       ///< Pictures of their own on one page.
constexpr double kMinFigureSidePt = 48;  ///< Smaller ones are icons and rules.
constexpr int kMinCropSidePx = 64;
constexpr double kCaptionReachPt = 40;  ///< Between a figure and its caption.

/// What one unit holds. Each block of its text stands on a line of its own, so that the last word
/// of a heading and the first of its paragraph do not become one.
struct Region {
  BlockKind block = BlockKind::kParagraph;
  Box box;
  std::string text;
};

Region FromBlock(const LayoutBlock& block) {
  return {block.kind, block.box, media::JoinLines(block.lines)};
}

/// `above` and `below` as lines of one text; either may be empty.
std::string Stacked(std::string above, const std::string& below) {
  if (!above.empty() && !below.empty()) above += '\n';
  return above + below;
}

/// A block with more than `kPassageTokens`, cut between lines.
std::vector<Region> CutLongBlock(const LayoutBlock& block, const TokenCounter& count_tokens) {
  std::vector<Region> regions;
  std::size_t tokens = 0;
  std::size_t first = 0;
  for (std::size_t i = 0; i < block.lines.size(); ++i) {
    const TextLine& line = block.lines[i];
    const std::size_t more = count_tokens(line.text);
    if (regions.empty() || tokens + more > kPassageTokens) {
      regions.push_back({block.kind, line.box, {}});
      tokens = 0;
      first = i;
    }
    tokens += more;
    Region& region = regions.back();
    region.box = media::Union(region.box, line.box);
    region.text = media::JoinLines(std::span(block.lines).subspan(first, i + 1 - first));
  }
  return regions;
}

double VerticalGap(const Box& a, const Box& b) {
  return std::max({a.y - b.bottom(), b.y - a.bottom(), 0.0});
}

/// The nearest caption that shares columns with the figure, or -1.
int CaptionOf(const LayoutBlock& figure, const std::vector<LayoutBlock>& blocks,
              const std::vector<bool>& used) {
  int best = -1;
  double best_gap = kCaptionReachPt;
  for (std::size_t i = 0; i < blocks.size(); ++i) {
    if (used[i] || blocks[i].kind != BlockKind::kCaption) continue;
    const double overlap = std::min(figure.box.right(), blocks[i].box.right()) -
                           std::max(figure.box.x, blocks[i].box.x);
    const double gap = VerticalGap(figure.box, blocks[i].box);
    if (overlap > 0 && gap < best_gap) {
      best = static_cast<int>(i);
      best_gap = gap;
    }
  }
  return best;
}

/// Figures first take their captions; `used` marks the captions that are taken.
std::vector<Region> FigureRegions(const std::vector<LayoutBlock>& blocks, std::vector<bool>& used) {
  std::vector<Region> figures;
  for (std::size_t i = 0; i < blocks.size(); ++i) {
    if (blocks[i].kind != BlockKind::kFigure) continue;
    used[i] = true;
    Region region = FromBlock(blocks[i]);
    if (const int caption = CaptionOf(blocks[i], blocks, used); caption >= 0) {
      const LayoutBlock& words = blocks[static_cast<std::size_t>(caption)];
      used[static_cast<std::size_t>(caption)] = true;
      region.box = media::Union(region.box, words.box);
      region.text = Stacked(media::JoinLines(words.lines), region.text);
    }
    figures.push_back(std::move(region));
  }
  return figures;
}

/// Whether a block starts a region of its own instead of joining the one before.
bool StandsAlone(BlockKind kind) { return kind == BlockKind::kTable; }

/// Consecutive blocks joined up to the budget; a heading starts a new region and stays with what
/// follows it.
std::vector<Region> TextRegions(const std::vector<LayoutBlock>& blocks,
                                const std::vector<bool>& used, const TokenCounter& count_tokens) {
  std::vector<Region> regions;
  std::size_t tokens = 0;
  bool open = false;
  for (std::size_t i = 0; i < blocks.size(); ++i) {
    const LayoutBlock& block = blocks[i];
    if (used[i] || block.lines.empty()) continue;
    Region next = FromBlock(block);
    const std::size_t more = count_tokens(next.text);
    if (more > kPassageTokens) {
      for (Region& part : CutLongBlock(block, count_tokens)) regions.push_back(std::move(part));
      open = false;
      continue;
    }
    const bool joins = open && tokens + more <= kPassageTokens &&
                       block.kind != BlockKind::kHeading && !StandsAlone(block.kind);
    if (!joins) {
      regions.push_back(std::move(next));
      tokens = more;
      open = !StandsAlone(block.kind);
      continue;
    }
    Region& region = regions.back();
    tokens += more;
    region.box = media::Union(region.box, block.box);
    region.text = Stacked(std::move(region.text), next.text);
    if (region.block == BlockKind::kHeading) region.block = block.kind;
  }
  return regions;
}

media::Image Crop(const media::Image& image, const Box& box_pt, double pixels_per_point) {
  const auto clamp = [](double value, int limit) {
    return static_cast<int>(std::clamp(std::round(value), 0.0, static_cast<double>(limit)));
  };
  const int left = clamp(box_pt.x * pixels_per_point, image.width);
  const int top = clamp(box_pt.y * pixels_per_point, image.height);
  const int right = clamp(box_pt.right() * pixels_per_point, image.width);
  const int bottom = clamp(box_pt.bottom() * pixels_per_point, image.height);
  media::Image crop;
  if (right - left < kMinCropSidePx || bottom - top < kMinCropSidePx) return crop;
  crop.width = right - left;
  crop.height = bottom - top;
  const auto row_bytes = static_cast<std::size_t>(crop.width) * 3;
  crop.pixels.reserve(row_bytes * static_cast<std::size_t>(crop.height));
  for (int y = top; y < bottom; ++y) {
    const auto offset = (static_cast<std::size_t>(y) * static_cast<std::size_t>(image.width) +
                         static_cast<std::size_t>(left)) *
                        3;
    const auto begin = image.pixels.begin() + static_cast<std::ptrdiff_t>(offset);
    crop.pixels.insert(crop.pixels.end(), begin, begin + static_cast<std::ptrdiff_t>(row_bytes));
  }
  return crop;
}

store::Locator PageLocator(const DecodedPage& page, const Box& box) {
  store::Locator locator;
  locator.page = page.page_number;
  locator.page_label = page.label;
  locator.box = box;
  locator.page_width = page.width_pt;
  locator.page_height = page.height_pt;
  return locator;
}

UnitDraft RegionDraft(const DecodedPage& page, const Region& region, media::TextSource source) {
  UnitDraft draft;
  draft.parent = 0;
  draft.unit.kind = store::UnitKind::kRegion;
  draft.unit.block = region.block;
  draft.unit.source = source;
  draft.unit.locator = PageLocator(page, region.box);
  draft.unit.text = region.text;
  draft.unit.language = text::DetectLanguage(draft.unit.text);
  draft.index_text = !draft.unit.text.empty();
  return draft;
}

std::string PageText(const std::vector<LayoutBlock>& blocks) {
  std::string text;
  for (const LayoutBlock& block : blocks) {
    text = Stacked(std::move(text), media::JoinLines(block.lines));
  }
  return text;
}

UnitDraft PageDraft(DecodedPage& page, media::TextSource source) {
  UnitDraft draft;
  draft.unit.kind = store::UnitKind::kPage;
  draft.unit.source = source;
  draft.unit.locator = PageLocator(page, {});
  draft.unit.text = PageText(page.blocks);
  draft.unit.language = text::DetectLanguage(draft.unit.text);
  draft.preview = std::move(page.preview);
  return draft;
}

}  // namespace

std::vector<UnitDraft> ComposePage(DecodedPage page, const TokenCounter& count_tokens) {
  const auto source = page.needs_ocr ? media::TextSource::kOcr : media::TextSource::kText;
  std::vector<UnitDraft> drafts;
  drafts.push_back(PageDraft(page, source));
  std::vector<bool> used(page.blocks.size(), false);
  int crops = 0;
  for (const Region& figure : FigureRegions(page.blocks, used)) {
    UnitDraft draft = RegionDraft(page, figure, source);
    const bool large =
        figure.box.width >= kMinFigureSidePt && figure.box.height >= kMinFigureSidePt;
    if (large && crops < kMaxFigureCrops) {
      draft.picture = Crop(page.render, figure.box, page.pixels_per_point);
      if (!draft.picture.IsEmpty()) ++crops;
    }
    if (draft.index_text || !draft.picture.IsEmpty()) drafts.push_back(std::move(draft));
  }
  for (const Region& region : TextRegions(page.blocks, used, count_tokens)) {
    drafts.push_back(RegionDraft(page, region, source));
  }
  drafts.front().picture = std::move(page.render);
  return drafts;
}

}  // namespace sightline::ingest
