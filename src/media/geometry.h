// Boxes on pages and pictures.
#pragma once

#include <algorithm>

namespace sightline::media {

/// An axis-aligned rectangle; origin top-left, y grows downwards. The unit (points or pixels) is
/// said where the box is used.
struct Box {
  double x = 0;
  double y = 0;
  double width = 0;
  double height = 0;

  /// x of the right edge.
  double right() const { return x + width; }
  /// y of the lower edge.
  double bottom() const { return y + height; }
  /// Whether it encloses nothing.
  bool IsEmpty() const { return width <= 0 || height <= 0; }

  friend bool operator==(const Box&, const Box&) = default;
};

/// The smallest box that contains both; an empty box adds nothing.
inline Box Union(const Box& a, const Box& b) {
  if (a.IsEmpty()) return b;
  if (b.IsEmpty()) return a;
  const double left = std::min(a.x, b.x);
  const double top = std::min(a.y, b.y);
  return {left, top, std::max(a.right(), b.right()) - left, std::max(a.bottom(), b.bottom()) - top};
}

/// Area shared by both, in squared units.
inline double IntersectionArea(const Box& a, const Box& b) {
  const double width = std::min(a.right(), b.right()) - std::max(a.x, b.x);
  const double height = std::min(a.bottom(), b.bottom()) - std::max(a.y, b.y);
  return width > 0 && height > 0 ? width * height : 0;
}

}  // namespace sightline::media
