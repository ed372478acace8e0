#include "model/text_detector.h"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <opencv2/core.hpp>
#include <opencv2/imgproc.hpp>
#include <utility>

namespace sightline::model {
namespace {

constexpr int kStride = 32;
/// Boxes thinner than this on the probability map are specks.
constexpr float kMinSide = 3.0F;

int RoundToStride(double size) {
  return std::max(kStride, static_cast<int>(std::lround(size / kStride)) * kStride);
}

cv::Size MapSize(const media::Image& image, const TextDetectorOptions& options) {
  const double shorter = std::min(image.width, image.height);
  const double longer = std::max(image.width, image.height);
  double scale = shorter < options.min_side ? std::min(options.min_side / shorter, 4.0) : 1.0;
  scale = std::min(scale, options.max_side / longer);
  return {RoundToStride(image.width * scale), RoundToStride(image.height * scale)};
}

/// BGR planes, (x / 255 − 0.5) / 0.5.
std::vector<float> Normalize(const cv::Mat& rgb) {
  const std::size_t plane = rgb.total();
  std::vector<float> values(plane * 3);
  std::size_t i = 0;
  for (int y = 0; y < rgb.rows; ++y) {
    const auto* row = rgb.ptr<std::uint8_t>(y);
    for (int x = 0; x < rgb.cols; ++x, ++i) {
      for (std::size_t channel = 0; channel < 3; ++channel) {
        const float pixel = row[3 * x + 2 - static_cast<int>(channel)];
        values[channel * plane + i] = pixel / 127.5F - 1.0F;
      }
    }
  }
  return values;
}

/// Mean probability inside the rectangle.
float MeanInside(const cv::Mat& map, const cv::RotatedRect& rect) {
  cv::Point2f corners[4];
  rect.points(corners);
  const cv::Rect bounds = rect.boundingRect() & cv::Rect(0, 0, map.cols, map.rows);
  if (bounds.empty()) return 0;
  std::vector<cv::Point> polygon;
  for (const cv::Point2f& corner : corners) {
    polygon.emplace_back(cvRound(corner.x) - bounds.x, cvRound(corner.y) - bounds.y);
  }
  cv::Mat mask = cv::Mat::zeros(bounds.size(), CV_8UC1);
  cv::fillPoly(mask, std::vector<std::vector<cv::Point>>{polygon}, cv::Scalar(1));
  return static_cast<float>(cv::mean(map(bounds), mask)[0]);
}

/// Corners clockwise from the top left: the two leftmost points first, as PP-OCR orders them.
Quad OrderCorners(const cv::RotatedRect& rect) {
  cv::Point2f raw[4];
  rect.points(raw);
  std::sort(std::begin(raw), std::end(raw),
            [](const cv::Point2f& a, const cv::Point2f& b) { return a.x < b.x; });
  const auto [top_left, bottom_left] =
      raw[0].y <= raw[1].y ? std::pair(raw[0], raw[1]) : std::pair(raw[1], raw[0]);
  const auto [top_right, bottom_right] =
      raw[2].y <= raw[3].y ? std::pair(raw[2], raw[3]) : std::pair(raw[3], raw[2]);
  Quad quad;
  const std::array ordered = {top_left, top_right, bottom_right, bottom_left};
  for (std::size_t i = 0; i < 4; ++i) quad.corners[i] = {ordered[i].x, ordered[i].y};
  return quad;
}

/// DBNet shrinks text by a distance of area × (1 − r²) / perimeter; this grows it back. Offsetting
/// a rectangle and taking the minimal rectangle around it adds the distance on each side.
void Unclip(cv::RotatedRect* rect, double ratio) {
  const double area = static_cast<double>(rect->size.width) * rect->size.height;
  const double perimeter = 2.0 * (static_cast<double>(rect->size.width) + rect->size.height);
  if (perimeter <= 0) return;
  const auto grow = static_cast<float>(2.0 * area * ratio / perimeter);
  rect->size.width += grow;
  rect->size.height += grow;
}

std::vector<Quad> FindQuads(const cv::Mat& map, const media::Image& image,
                            const TextDetectorOptions& options) {
  cv::Mat bitmap;
  cv::compare(map, cv::Scalar(options.pixel_threshold), bitmap, cv::CMP_GT);
  cv::dilate(bitmap, bitmap, cv::Mat::ones(2, 2, CV_8UC1));
  std::vector<std::vector<cv::Point>> contours;
  cv::findContours(bitmap, contours, cv::RETR_LIST, cv::CHAIN_APPROX_SIMPLE);
  std::ranges::sort(contours, [](const auto& a, const auto& b) {
    return cv::boundingRect(a).area() > cv::boundingRect(b).area();
  });
  const double scale_x = static_cast<double>(image.width) / map.cols;
  const double scale_y = static_cast<double>(image.height) / map.rows;
  std::vector<Quad> quads;
  for (const auto& contour : contours) {
    if (quads.size() >= options.max_lines) break;
    cv::RotatedRect rect = cv::minAreaRect(contour);
    if (std::min(rect.size.width, rect.size.height) < kMinSide) continue;
    if (MeanInside(map, rect) < options.box_threshold) continue;
    Unclip(&rect, options.unclip_ratio);
    if (std::min(rect.size.width, rect.size.height) < kMinSide + 2) continue;
    Quad quad = OrderCorners(rect);
    for (Point& corner : quad.corners) {
      corner.x = std::clamp(corner.x * scale_x, 0.0, static_cast<double>(image.width));
      corner.y = std::clamp(corner.y * scale_y, 0.0, static_cast<double>(image.height));
    }
    if (quad.Width() < 4 || quad.Height() < 4) continue;
    quads.push_back(quad);
  }
  return quads;
}

}  // namespace

base::Result<std::unique_ptr<TextDetector>> TextDetector::Open(const std::filesystem::path& model,
                                                               const OnnxOptions& onnx,
                                                               const TextDetectorOptions& options) {
  SIGHTLINE_ASSIGN_OR_RETURN(auto session, OnnxSession::Open(model, onnx));
  if (session->inputs().size() != 1 || session->outputs().size() != 1) {
    return base::DataLoss("not a text detector (one input, one output): " + model.string());
  }
  return std::unique_ptr<TextDetector>(new TextDetector(std::move(session), options));
}

base::Result<std::vector<Quad>> TextDetector::Detect(const media::Image& image,
                                                     const base::CancelToken& cancel) const {
  try {
    const cv::Mat rgb(image.height, image.width, CV_8UC3,
                      const_cast<std::uint8_t*>(image.pixels.data()));
    cv::Mat scaled;
    const cv::Size size = MapSize(image, options_);
    cv::resize(rgb, scaled, size, 0, 0,
               size.width < image.width ? cv::INTER_AREA : cv::INTER_LINEAR);
    const std::vector<float> values = Normalize(scaled);
    const OnnxInput input{session_->inputs()[0].name,
                          {1, 3, size.height, size.width},
                          std::span<const float>(values)};
    const std::string output = session_->outputs()[0].name;
    SIGHTLINE_ASSIGN_OR_RETURN(auto tensors,
                               session_->Run(std::span(&input, 1), std::span(&output, 1), cancel));
    if (tensors[0].values.size() != static_cast<std::size_t>(size.area())) {
      return base::DataLoss("the text detector returned a map of another size");
    }
    const cv::Mat map(size, CV_32FC1, const_cast<float*>(tensors[0].values.data()));
    return FindQuads(map, image, options_);
  } catch (const cv::Exception& exception) {
    return base::DataLoss(std::string("text detection failed: ") + exception.what());
  }
}

}  // namespace sightline::model
