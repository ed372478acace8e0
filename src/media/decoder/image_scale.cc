#include "media/decoder/image_scale.h"

#include <algorithm>
#include <cmath>
#include <opencv2/imgproc.hpp>
#include <utility>

namespace sightline::media {

PixelSize FitLongSide(PixelSize size, int long_side_px) {
  const int long_side = std::max(size.width, size.height);
  if (long_side <= long_side_px) return size;
  const double scale = static_cast<double>(long_side_px) / long_side;
  return {std::max(1, static_cast<int>(std::lround(size.width * scale))),
          std::max(1, static_cast<int>(std::lround(size.height * scale)))};
}

PixelSize FitWidth(double width, double height, int width_px, std::int64_t max_pixels) {
  constexpr double kMaxSide = 16'383;
  double scale = std::min(width_px / width, kMaxSide / std::max(width, height));
  const double pixels = width * scale * height * scale;
  const double limit = static_cast<double>(max_pixels);
  if (pixels > limit) scale *= std::sqrt(limit / pixels);
  // Rounding down keeps the limits; the little more is for a width that is exact but for the
  // arithmetic.
  constexpr double kSlack = 1e-6;
  return {std::max(1, static_cast<int>(std::floor(width * scale + kSlack))),
          std::max(1, static_cast<int>(std::floor(height * scale + kSlack)))};
}

Image ScaleImage(const Image& image, PixelSize size) {
  Image out;
  out.width = size.width;
  out.height = size.height;
  out.pixels.resize(static_cast<std::size_t>(size.width) * static_cast<std::size_t>(size.height) *
                    3);
  // OpenCV's Mat is not const-correct; the source is only read.
  const cv::Mat from(image.height, image.width, CV_8UC3,
                     const_cast<std::uint8_t*>(image.pixels.data()));
  cv::Mat to(size.height, size.width, CV_8UC3, out.pixels.data());
  // Averaging of areas costs five times as much and shows no difference above three quarters.
  const bool shrinks = size.width * 4 < image.width * 3 || size.height * 4 < image.height * 3;
  cv::resize(from, to, to.size(), 0, 0, shrinks ? cv::INTER_AREA : cv::INTER_LINEAR);
  return out;
}

Image ShrinkToLongSide(Image image, int long_side_px) {
  const PixelSize size{image.width, image.height};
  const PixelSize fitted = FitLongSide(size, long_side_px);
  return fitted == size ? std::move(image) : ScaleImage(image, fitted);
}

}  // namespace sightline::media
