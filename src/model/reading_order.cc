#include "model/reading_order.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <numeric>
#include <optional>
#include <set>
#include <utility>

#include "media/geometry.h"

namespace sightline::model {
namespace {

/// Lines of prose are at least this many times as wide as high; table cells are not.
constexpr double kProseAspect = 7.0;
constexpr std::size_t kMinColumnLines = 3;

template <typename T>
T Median(std::vector<T> values) {
  const auto middle = values.begin() + static_cast<std::ptrdiff_t>(values.size() / 2);
  std::nth_element(values.begin(), middle, values.end());
  return *middle;
}

/// Hulls after turning everything back by the median angle of the wide lines.
std::vector<media::Box> Deskew(std::span<const Quad> lines) {
  std::vector<double> angles;
  for (const Quad& line : lines) {
    if (line.Width() > 2 * line.Height()) angles.push_back(line.Angle());
  }
  const double angle = angles.empty() ? 0 : Median(angles);
  const double cosine = std::cos(-angle);
  const double sine = std::sin(-angle);
  std::vector<media::Box> boxes;
  for (const Quad& line : lines) {
    Quad turned = line;
    for (Point& p : turned.corners) p = {p.x * cosine - p.y * sine, p.x * sine + p.y * cosine};
    boxes.push_back(turned.Hull());
  }
  return boxes;
}

class Sorter {
 public:
  explicit Sorter(const std::vector<media::Box>& boxes) : boxes_(boxes) {
    std::vector<double> heights;
    for (const media::Box& box : boxes) heights.push_back(std::min(box.width, box.height));
    line_height_ = std::max(1.0, Median(heights));
  }

  /// Appends `items` in order.
  void Sort(std::vector<std::size_t> items, int depth, std::vector<std::size_t>* order) const {
    std::ranges::stable_sort(items, {}, [&](std::size_t i) { return MiddleY(i); });
    const std::optional<double> gutter = depth > 0 ? FindGutter(items) : std::nullopt;
    if (!gutter) {
      SortRows(items, order);
      return;
    }
    // A line across the gutter ends the columns above it.
    std::vector<std::size_t> left;
    std::vector<std::size_t> right;
    std::vector<std::size_t> across;
    const auto flush_columns = [&] {
      if (!left.empty()) Sort(std::exchange(left, {}), depth - 1, order);
      if (!right.empty()) Sort(std::exchange(right, {}), depth - 1, order);
    };
    const auto flush_across = [&] {
      if (!across.empty()) SortRows(std::exchange(across, {}), order);
    };
    for (const std::size_t i : items) {
      if (Crosses(i, *gutter)) {
        flush_columns();
        across.push_back(i);
      } else {
        flush_across();
        (boxes_[i].x >= *gutter - Slack() ? right : left).push_back(i);
      }
    }
    flush_columns();
    flush_across();
  }

 private:
  double MiddleY(std::size_t i) const { return boxes_[i].y + boxes_[i].height / 2; }
  /// Detected boxes reach a little over their text.
  double Slack() const { return line_height_ * 0.2; }
  bool Crosses(std::size_t i, double gutter) const {
    return boxes_[i].x < gutter - Slack() && boxes_[i].right() > gutter + Slack();
  }
  bool IsProse(std::size_t i) const { return boxes_[i].width >= kProseAspect * boxes_[i].height; }

  /// The left edge at which most lines of prose have another line of prose beside them.
  std::optional<double> FindGutter(std::span<const std::size_t> items) const {
    if (items.size() < 2 * kMinColumnLines) return std::nullopt;
    std::map<long, std::pair<std::size_t, double>> edges;
    for (const std::size_t i : items) {
      auto& [count, edge] = edges[std::lround(boxes_[i].x / line_height_)];
      edge = count == 0 ? boxes_[i].x : std::min(edge, boxes_[i].x);
      ++count;
    }
    std::optional<double> best;
    std::size_t best_pairs = kMinColumnLines - 1;
    for (const auto& [bin, edge] : edges) {
      if (edge.first < kMinColumnLines) continue;
      const std::size_t pairs = CountPairs(items, edge.second);
      if (pairs > best_pairs) {
        best_pairs = pairs;
        best = edge.second;
      }
    }
    return best;
  }

  /// Lines of prose left of `gutter` that have one to the right at the same height.
  std::size_t CountPairs(std::span<const std::size_t> items, double gutter) const {
    std::set<long> rows;
    const auto row = [&](std::size_t i) { return std::lround(MiddleY(i) / line_height_); };
    for (const std::size_t i : items) {
      if (IsProse(i) && boxes_[i].x >= gutter - Slack()) rows.insert(row(i));
    }
    std::size_t pairs = 0;
    for (const std::size_t i : items) {
      if (!IsProse(i) || boxes_[i].right() > gutter + Slack()) continue;
      const auto next = rows.lower_bound(row(i) - 1);
      if (next != rows.end() && *next <= row(i) + 1) ++pairs;
    }
    return pairs;
  }

  /// Lines whose middles lie within half a line of the first of the row share it.
  void SortRows(std::vector<std::size_t> items, std::vector<std::size_t>* order) const {
    std::ranges::stable_sort(items, {}, [&](std::size_t i) { return MiddleY(i); });
    for (std::size_t start = 0; start < items.size();) {
      const double height = std::min(boxes_[items[start]].height, 2 * line_height_);
      std::size_t end = start + 1;
      while (end < items.size() && MiddleY(items[end]) - MiddleY(items[start]) < height * 0.5) {
        ++end;
      }
      std::ranges::stable_sort(items.begin() + static_cast<std::ptrdiff_t>(start),
                               items.begin() + static_cast<std::ptrdiff_t>(end), {},
                               [&](std::size_t i) { return boxes_[i].x; });
      start = end;
    }
    order->insert(order->end(), items.begin(), items.end());
  }

  const std::vector<media::Box>& boxes_;
  double line_height_ = 0;
};

}  // namespace

std::vector<std::size_t> ReadingOrder(std::span<const Quad> lines) {
  std::vector<std::size_t> order;
  if (lines.empty()) return order;
  const std::vector<media::Box> boxes = Deskew(lines);
  std::vector<std::size_t> items(lines.size());
  std::iota(items.begin(), items.end(), std::size_t{0});
  constexpr int kMaxDepth = 8;
  Sorter(boxes).Sort(std::move(items), kMaxDepth, &order);
  return order;
}

}  // namespace sightline::model
