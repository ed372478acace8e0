#include "model/reading_order.h"

#include <gtest/gtest.h>

#include <cmath>
#include <vector>

namespace sightline::model {
namespace {

Quad Line(double x, double y, double width, double height = 20) {
  return {{Point{x, y}, Point{x + width, y}, Point{x + width, y + height}, Point{x, y + height}}};
}

Quad Turn(const Quad& quad, double degrees) {
  const double angle = degrees * 3.14159265358979 / 180;
  Quad turned = quad;
  for (Point& p : turned.corners) {
    p = {p.x * std::cos(angle) - p.y * std::sin(angle),
         p.x * std::sin(angle) + p.y * std::cos(angle)};
  }
  return turned;
}

TEST(ReadingOrderTest, RowsFromTheTopAndEachFromTheLeft) {
  const std::vector<Quad> lines = {Line(300, 102, 100), Line(10, 50, 100), Line(10, 100, 100)};
  EXPECT_EQ(ReadingOrder(lines), (std::vector<std::size_t>{1, 2, 0}));
}

/// A title across, two columns of four lines, a footer across.
std::vector<Quad> TwoColumns() {
  std::vector<Quad> lines = {Line(10, 200, 900)};  // footer is the first in the list
  for (int row = 0; row < 4; ++row) {
    lines.push_back(Line(520, 60 + row * 30, 400));  // right column: 1, 3, 5, 7
    lines.push_back(Line(10, 60 + row * 30, 400));   // left column: 2, 4, 6, 8
  }
  lines.push_back(Line(10, 10, 900));  // title: 9
  return lines;
}

TEST(ReadingOrderTest, ColumnsOfProseAreReadOneAfterTheOther) {
  EXPECT_EQ(ReadingOrder(TwoColumns()), (std::vector<std::size_t>{9, 2, 4, 6, 8, 1, 3, 5, 7, 0}));
}

TEST(ReadingOrderTest, SkewDoesNotChangeTheOrder) {
  for (const double degrees : {-10.0, -4.0, 3.0, 10.0}) {
    std::vector<Quad> lines = TwoColumns();
    for (Quad& line : lines) line = Turn(line, degrees);
    EXPECT_EQ(ReadingOrder(lines), (std::vector<std::size_t>{9, 2, 4, 6, 8, 1, 3, 5, 7, 0}))
        << degrees;
  }
}

TEST(ReadingOrderTest, CellsOfATableAreReadByRow) {
  std::vector<Quad> cells;
  for (int row = 0; row < 4; ++row) {
    for (int column = 0; column < 3; ++column) {
      cells.push_back(Line(10 + column * 200, 10 + row * 30, 60));
    }
  }
  const std::vector<std::size_t> order = ReadingOrder(cells);
  for (std::size_t i = 0; i < order.size(); ++i) EXPECT_EQ(order[i], i);
}

TEST(ReadingOrderTest, NothingHasAnEmptyOrder) { EXPECT_TRUE(ReadingOrder({}).empty()); }

}  // namespace
}  // namespace sightline::model
