#include "model/line_image.h"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <opencv2/core.hpp>
#include <opencv2/imgproc.hpp>
#include <utility>

namespace sightline::model {
namespace {

constexpr double kUprightRatio = 1.5;
/// Widest line before scaling, so that a hostile aspect ratio cannot ask for gigabytes.
constexpr int kMaxScaledWidth = 48 * 400;

cv::Mat View(const media::Image& image) {
  return {image.height, image.width, CV_8UC3, const_cast<std::uint8_t*>(image.pixels.data())};
}

media::Image Copy(const cv::Mat& rgb) {
  media::Image image{rgb.cols, rgb.rows, {}};
  image.pixels.reserve(rgb.total() * 3);
  for (int y = 0; y < rgb.rows; ++y) {
    const auto* row = rgb.ptr<std::uint8_t>(y);
    image.pixels.insert(image.pixels.end(), row, row + static_cast<std::ptrdiff_t>(rgb.cols) * 3);
  }
  return image;
}

/// Difference between the brightest and the darkest pixel of each column: low where nothing is
/// written.
std::vector<int> ColumnContrast(const cv::Mat& rgb) {
  cv::Mat grey;
  cv::cvtColor(rgb, grey, cv::COLOR_RGB2GRAY);
  cv::Mat lowest;
  cv::Mat highest;
  cv::reduce(grey, lowest, 0, cv::REDUCE_MIN);
  cv::reduce(grey, highest, 0, cv::REDUCE_MAX);
  std::vector<int> contrast(static_cast<std::size_t>(rgb.cols));
  for (int x = 0; x < rgb.cols; ++x) {
    contrast[static_cast<std::size_t>(x)] =
        highest.at<std::uint8_t>(x) - lowest.at<std::uint8_t>(x);
  }
  return contrast;
}

struct Cut {
  int column = 0;
  int gap = 0;  ///< Columns around it that are about as empty.
};

/// The middle of the widest run of nearly empty columns in [from, to).
Cut FindCut(const std::vector<int>& contrast, int from, int to) {
  const auto begin = contrast.begin() + from;
  const int emptiest = *std::min_element(begin, contrast.begin() + to);
  const int limit = emptiest + 24;
  Cut best{to - 1, 0};
  for (int x = from; x < to;) {
    int end = x;
    while (end < to && contrast[static_cast<std::size_t>(end)] <= limit) ++end;
    if (end - x > best.gap) best = {(x + end) / 2, end - x};
    x = std::max(end, x + 1);
  }
  return best;
}

}  // namespace

base::Result<media::Image> CropQuad(const media::Image& image, const Quad& quad) {
  try {
    const int width = std::clamp(static_cast<int>(quad.Width()), 1, image.width + image.height);
    const int height = std::clamp(static_cast<int>(quad.Height()), 1, image.width + image.height);
    cv::Point2f from[4];
    for (std::size_t i = 0; i < 4; ++i) {
      from[i] = {static_cast<float>(quad.corners[i].x), static_cast<float>(quad.corners[i].y)};
    }
    const auto w = static_cast<float>(width);
    const auto h = static_cast<float>(height);
    const cv::Point2f to[4] = {{0, 0}, {w, 0}, {w, h}, {0, h}};
    cv::Mat crop;
    cv::warpPerspective(View(image), crop, cv::getPerspectiveTransform(from, to), {width, height},
                        cv::INTER_CUBIC, cv::BORDER_REPLICATE);
    if (height >= kUprightRatio * width) cv::rotate(crop, crop, cv::ROTATE_90_COUNTERCLOCKWISE);
    return Copy(crop);
  } catch (const cv::Exception& exception) {
    return base::DataLoss(std::string("cutting out a line failed: ") + exception.what());
  }
}

media::Image TurnImage(const media::Image& image, Turn turn) {
  if (turn == Turn::kNone) return image;
  cv::Mat turned;
  const int code = turn == Turn::kClockwise90 ? cv::ROTATE_90_CLOCKWISE
                   : turn == Turn::kHalf      ? cv::ROTATE_180
                                              : cv::ROTATE_90_COUNTERCLOCKWISE;
  cv::rotate(View(image), turned, code);
  return Copy(turned);
}

Quad UndoTurn(const Quad& quad, Turn turn, int width, int height) {
  Quad result = quad;
  for (Point& corner : result.corners) {
    const Point p = corner;
    switch (turn) {
      case Turn::kNone:
        break;
      case Turn::kClockwise90:
        corner = {p.y, height - p.x};
        break;
      case Turn::kHalf:
        corner = {width - p.x, height - p.y};
        break;
      case Turn::kCounterClockwise90:
        corner = {width - p.y, p.x};
        break;
    }
  }
  return result;
}

base::Result<std::vector<LinePart>> ScaleAndSplitLine(const media::Image& line, int height,
                                                      int max_width) {
  try {
    const double ratio = static_cast<double>(line.width) / line.height;
    const int width = std::clamp(static_cast<int>(std::ceil(height * ratio)), 1, kMaxScaledWidth);
    cv::Mat scaled;
    cv::resize(View(line), scaled, {width, height}, 0, 0, cv::INTER_LINEAR);
    std::vector<LinePart> parts;
    if (width <= max_width) {
      parts.push_back({Copy(scaled), false});
      return parts;
    }
    const std::vector<int> contrast = ColumnContrast(scaled);
    int start = 0;
    bool space_before = false;
    while (width - start > max_width) {
      const Cut cut = FindCut(contrast, start + max_width * 3 / 4, start + max_width);
      parts.push_back({Copy(scaled.colRange(start, cut.column)), space_before});
      space_before = cut.gap >= height / 5;
      start = cut.column;
    }
    parts.push_back({Copy(scaled.colRange(start, width)), space_before});
    return parts;
  } catch (const cv::Exception& exception) {
    return base::DataLoss(std::string("scaling a line failed: ") + exception.what());
  }
}

}  // namespace sightline::model
