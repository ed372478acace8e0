// A rotated rectangle of text in a picture.
#pragma once

#include <algorithm>
#include <array>
#include <cmath>

#include "media/geometry.h"

namespace sightline::model {

/// A point in a picture, pixels.
struct Point {
  double x = 0;
  double y = 0;
};

/// Euclidean distance.
inline double Distance(const Point& a, const Point& b) { return std::hypot(a.x - b.x, a.y - b.y); }

/// Four corners in pixels, clockwise from the top left of the text as it is read when the line
/// runs to the right.
struct Quad {
  std::array<Point, 4> corners;

  /// Length along the reading direction.
  double Width() const {
    return std::max(Distance(corners[0], corners[1]), Distance(corners[3], corners[2]));
  }
  /// Length across the reading direction.
  double Height() const {
    return std::max(Distance(corners[0], corners[3]), Distance(corners[1], corners[2]));
  }
  /// Mean of the corners.
  Point Center() const {
    Point sum;
    for (const Point& corner : corners) sum = {sum.x + corner.x / 4, sum.y + corner.y / 4};
    return sum;
  }
  /// Angle of the top edge against the x axis in radians, positive clockwise on the screen.
  double Angle() const {
    return std::atan2(corners[1].y - corners[0].y, corners[1].x - corners[0].x);
  }
  /// Axis-aligned hull.
  media::Box Hull() const {
    double left = corners[0].x;
    double right = left;
    double top = corners[0].y;
    double bottom = top;
    for (const Point& corner : corners) {
      left = std::min(left, corner.x);
      right = std::max(right, corner.x);
      top = std::min(top, corner.y);
      bottom = std::max(bottom, corner.y);
    }
    return {left, top, right - left, bottom - top};
  }
};

}  // namespace sightline::model
