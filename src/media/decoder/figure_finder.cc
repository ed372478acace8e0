#include "media/decoder/figure_finder.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <utility>

namespace sightline::media {
namespace {

constexpr double kCellPt = 4;              // grid on which graphics are clustered
constexpr double kReachPt = 5;             // graphics this near to each other belong together
constexpr double kBackgroundShare = 0.6;   // of the page: larger paths are backgrounds
constexpr double kFullPageShare = 0.85;    // of the page: larger images are scans or slides
constexpr double kMinFigureShare = 0.012;  // of the page
constexpr double kMinSidePt = 36;
constexpr double kRulePt = 2.5;  // thinner paths are rules
constexpr double kMinTableRulePt = 80;
constexpr double kMaxRuleGapPt = 300;  // between two rules of one table
constexpr double kRuleRowPt = 10;
constexpr int kMinTableChars = 12;
constexpr int kMinSegments = 24;  // of a drawing

double Area(const Box& box) { return box.width * box.height; }

bool IsRule(const PageGraphic& graphic) {
  return graphic.kind == GraphicKind::kPath &&
         std::min(graphic.box.width, graphic.box.height) <= kRulePt && graphic.segments <= 8;
}

/// Connected graphics and what they are made of.
struct Cluster {
  Box box;
  int images = 0;
  int rules = 0;
  int horizontal_rules = 0;
  int paths = 0;  ///< Beside rules.
  long segments = 0;
};

/// Marks graphics on a coarse grid and finds the connected parts.
class ClusterGrid {
 public:
  ClusterGrid(double width, double height)
      : columns_(static_cast<int>(std::ceil(width / kCellPt)) + 1),
        rows_(static_cast<int>(std::ceil(height / kCellPt)) + 1),
        labels_(static_cast<std::size_t>(columns_) * static_cast<std::size_t>(rows_), kEmpty) {}

  void Mark(const Box& box) {
    const CellRange range = Range(box);
    for (int row = range.top; row <= range.bottom; ++row) {
      for (int column = range.left; column <= range.right; ++column) {
        labels_[Index(row, column)] = kMarked;
      }
    }
  }

  /// Gives each connected part a number from 0; returns how many there are.
  int Label() {
    int count = 0;
    for (int row = 0; row < rows_; ++row) {
      for (int column = 0; column < columns_; ++column) {
        if (labels_[Index(row, column)] == kMarked) Flood(row, column, count++);
      }
    }
    return count;
  }

  int LabelAt(const Box& box) const {
    const CellRange range = Range(box);
    return labels_[Index(range.top, range.left)];
  }

 private:
  static constexpr std::int32_t kEmpty = -1;
  static constexpr std::int32_t kMarked = -2;
  struct CellRange {
    int left, right, top, bottom;
  };

  std::size_t Index(int row, int column) const {
    return static_cast<std::size_t>(row) * static_cast<std::size_t>(columns_) +
           static_cast<std::size_t>(column);
  }

  CellRange Range(const Box& box) const {
    const auto cell = [](double value, int count) {
      return std::clamp(static_cast<int>(value / kCellPt), 0, count - 1);
    };
    return {cell(box.x - kReachPt, columns_), cell(box.right() + kReachPt, columns_),
            cell(box.y - kReachPt, rows_), cell(box.bottom() + kReachPt, rows_)};
  }

  void Flood(int row, int column, std::int32_t label) {
    stack_.clear();
    stack_.push_back({row, column});
    labels_[Index(row, column)] = label;
    while (!stack_.empty()) {
      const auto [r, c] = stack_.back();
      stack_.pop_back();
      for (const auto& [dr, dc] : {std::pair{-1, 0}, {1, 0}, {0, -1}, {0, 1}}) {
        const int nr = r + dr;
        const int nc = c + dc;
        if (nr < 0 || nc < 0 || nr >= rows_ || nc >= columns_) continue;
        if (labels_[Index(nr, nc)] != kMarked) continue;
        labels_[Index(nr, nc)] = label;
        stack_.push_back({nr, nc});
      }
    }
  }

  int columns_;
  int rows_;
  std::vector<std::int32_t> labels_;
  std::vector<std::pair<int, int>> stack_;
};

/// Graphics that can be part of a figure or a table.
std::vector<PageGraphic> Candidates(const PageContent& page) {
  const double page_area = page.width * page.height;
  std::vector<PageGraphic> candidates;
  for (const PageGraphic& graphic : page.graphics) {
    const double limit = graphic.kind == GraphicKind::kImage ? kFullPageShare : kBackgroundShare;
    if (Area(graphic.box) >= limit * page_area) continue;
    // A rule across most of the page parts header or footer from the text.
    if (IsRule(graphic) && graphic.box.width > 0.9 * page.width) continue;
    candidates.push_back(graphic);
  }
  return candidates;
}

std::vector<Cluster> FindClusters(const PageContent& page) {
  const std::vector<PageGraphic> candidates = Candidates(page);
  ClusterGrid grid(page.width, page.height);
  for (const PageGraphic& graphic : candidates) grid.Mark(graphic.box);
  std::vector<Cluster> clusters(static_cast<std::size_t>(grid.Label()));
  for (const PageGraphic& graphic : candidates) {
    const int label = grid.LabelAt(graphic.box);
    if (label < 0) continue;
    Cluster& cluster = clusters[static_cast<std::size_t>(label)];
    const Box box{graphic.box.x, graphic.box.y, std::max(graphic.box.width, 0.1),
                  std::max(graphic.box.height, 0.1)};
    cluster.box = Union(cluster.box, box);
    cluster.segments += graphic.segments;
    if (graphic.kind == GraphicKind::kImage) {
      ++cluster.images;
    } else if (IsRule(graphic)) {
      ++cluster.rules;
      cluster.horizontal_rules += graphic.box.width > graphic.box.height ? 1 : 0;
    } else {
      ++cluster.paths;
    }
  }
  return clusters;
}

struct TextInside {
  double share = 0;  ///< Of the cluster's area.
  int chars = 0;
};

TextInside MeasureText(const PageContent& page, const Box& box) {
  TextInside inside;
  for (const PageChar& c : page.chars) {
    const double shared = IntersectionArea(c.box, box);
    if (shared <= 0) continue;
    inside.share += shared;
    ++inside.chars;
  }
  inside.share /= std::max(1.0, Area(box));
  return inside;
}

bool IsLargeEnough(const PageContent& page, const Box& box) {
  return std::min(box.width, box.height) >= kMinSidePt &&
         Area(box) >= kMinFigureShare * page.width * page.height;
}

bool IsRuledTable(const Cluster& cluster, const TextInside& text) {
  return cluster.images == 0 && cluster.horizontal_rules >= 3 &&
         cluster.rules >= 4 * std::max(1, cluster.paths) / 2 && text.chars >= kMinTableChars &&
         text.share > 0.06;
}

bool IsFigure(const Cluster& cluster, const TextInside& text) {
  if (cluster.images > 0) return text.share < 0.5;
  const bool drawn = cluster.segments >= kMinSegments && cluster.paths + cluster.rules >= 4;
  const bool one_drawing = cluster.segments >= 4 * kMinSegments;
  return (drawn || one_drawing) && text.share < 0.3;
}

/// Tables between horizontal rules of one width, with no other line in them (as in books).
std::vector<GraphicRegion> FindOpenTables(const PageContent& page) {
  std::vector<Box> rules;
  for (const PageGraphic& graphic : page.graphics) {
    const bool wide = graphic.box.width >= kMinTableRulePt && graphic.box.height <= kRulePt;
    if (wide && IsRule(graphic)) rules.push_back(graphic.box);
  }
  std::stable_sort(rules.begin(), rules.end(),
                   [](const Box& a, const Box& b) { return a.y < b.y; });
  std::vector<GraphicRegion> tables;
  std::vector<bool> used(rules.size(), false);
  for (std::size_t i = 0; i < rules.size(); ++i) {
    if (used[i]) continue;
    Box box = rules[i];
    int count = 1;
    for (std::size_t j = i + 1; j < rules.size(); ++j) {
      const bool same = std::abs(rules[j].x - rules[i].x) < 3 &&
                        std::abs(rules[j].right() - rules[i].right()) < 3;
      if (used[j] || !same || rules[j].y - box.bottom() > kMaxRuleGapPt) continue;
      box.height = rules[j].bottom() - box.y;
      used[j] = true;
      ++count;
    }
    const TextInside text = MeasureText(page, box);
    if (count >= 3 && box.height >= 2 * kRuleRowPt && text.chars >= kMinTableChars) {
      tables.push_back({box, true});
    }
  }
  return tables;
}

/// Joins regions that overlap until none do.
void MergeOverlapping(std::vector<GraphicRegion>& regions) {
  for (std::size_t i = 0; i < regions.size(); ++i) {
    for (std::size_t j = i + 1; j < regions.size();) {
      if (IntersectionArea(regions[i].box, regions[j].box) <= 0) {
        ++j;
        continue;
      }
      regions[i].box = Union(regions[i].box, regions[j].box);
      regions[i].ruled_table = regions[i].ruled_table && regions[j].ruled_table;
      regions.erase(regions.begin() + static_cast<std::ptrdiff_t>(j));
      j = i + 1;
    }
  }
}

}  // namespace

std::vector<GraphicRegion> FindFigures(const PageContent& page) {
  std::vector<GraphicRegion> regions;
  for (const Cluster& cluster : FindClusters(page)) {
    if (!IsLargeEnough(page, cluster.box)) continue;
    const TextInside text = MeasureText(page, cluster.box);
    if (IsRuledTable(cluster, text)) {
      regions.push_back({cluster.box, true});
    } else if (IsFigure(cluster, text)) {
      regions.push_back({cluster.box, false});
    }
  }
  // A figure keeps its grid lines; only what is free of figures can be an open table.
  for (const GraphicRegion& table : FindOpenTables(page)) {
    const bool is_free = std::none_of(regions.begin(), regions.end(), [&](const auto& region) {
      return IntersectionArea(region.box, table.box) > 0;
    });
    if (is_free) regions.push_back(table);
  }
  MergeOverlapping(regions);
  std::stable_sort(regions.begin(), regions.end(),
                   [](const GraphicRegion& a, const GraphicRegion& b) {
                     return a.box.y != b.box.y ? a.box.y < b.box.y : a.box.x < b.box.x;
                   });
  return regions;
}

}  // namespace sightline::media
