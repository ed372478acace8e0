#include "model/image_resample.h"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

namespace sightline::model {
namespace {

constexpr int kMaxSide = 16384;
constexpr int kPrecisionBits = 32 - 8 - 2;

double Bilinear(double x) {
  x = std::abs(x);
  return x < 1.0 ? 1.0 - x : 0.0;
}

/// Keys' cubic with a = -0.5.
double Bicubic(double x) {
  constexpr double kA = -0.5;
  x = std::abs(x);
  if (x < 1.0) return ((kA + 2.0) * x - (kA + 3.0)) * x * x + 1;
  if (x < 2.0) return (((x - 5) * x + 8) * x - 4) * kA;
  return 0.0;
}

/// Which source pixels make a target pixel, and with which fixed-point weights.
struct Taps {
  int first = 0;
  std::vector<int> weights;
};

std::vector<Taps> MakeTaps(int source, int target, ResampleFilter filter) {
  const double scale = static_cast<double>(source) / target;
  const double filter_scale = std::max(scale, 1.0);
  const double support = (filter == ResampleFilter::kBicubic ? 2.0 : 1.0) * filter_scale;
  std::vector<Taps> taps(static_cast<std::size_t>(target));
  std::vector<double> weights;
  for (int i = 0; i < target; ++i) {
    const double center = (i + 0.5) * scale;
    const int first = std::max(0, static_cast<int>(center - support + 0.5));
    const int last = std::min(source, static_cast<int>(center + support + 0.5));
    weights.clear();
    double sum = 0;
    for (int x = first; x < last; ++x) {
      const double position = (x - center + 0.5) * (1.0 / filter_scale);
      weights.push_back(filter == ResampleFilter::kBicubic ? Bicubic(position)
                                                           : Bilinear(position));
      sum += weights.back();
    }
    Taps& tap = taps[static_cast<std::size_t>(i)];
    tap.first = first;
    // The same order of operations as Pillow's, because the weights are rounded next.
    for (const double weight : weights) {
      const double fixed = (sum != 0 ? weight / sum : weight) * (1 << kPrecisionBits);
      tap.weights.push_back(static_cast<int>(fixed < 0 ? fixed - 0.5 : fixed + 0.5));
    }
  }
  return taps;
}

std::uint8_t ToByte(int value) {
  return static_cast<std::uint8_t>(std::clamp(value >> kPrecisionBits, 0, 255));
}

/// One pass: `step` is the distance in bytes between source pixels of one target pixel.
void SumTaps(const std::uint8_t* source, std::size_t step, const Taps& taps, std::uint8_t* target) {
  int sums[3] = {1 << (kPrecisionBits - 1), 1 << (kPrecisionBits - 1), 1 << (kPrecisionBits - 1)};
  const std::uint8_t* pixel = source + static_cast<std::size_t>(taps.first) * step;
  for (const int weight : taps.weights) {
    for (int channel = 0; channel < 3; ++channel) sums[channel] += pixel[channel] * weight;
    pixel += step;
  }
  for (int channel = 0; channel < 3; ++channel) target[channel] = ToByte(sums[channel]);
}

media::Image ResampleRows(const media::Image& image, int width, ResampleFilter filter) {
  const std::vector<Taps> taps = MakeTaps(image.width, width, filter);
  media::Image result{width, image.height, {}};
  result.pixels.resize(static_cast<std::size_t>(width) * static_cast<std::size_t>(image.height) *
                       3);
  std::uint8_t* target = result.pixels.data();
  for (int y = 0; y < image.height; ++y) {
    const auto row = static_cast<std::size_t>(y) * static_cast<std::size_t>(image.width) * 3;
    for (const Taps& tap : taps) {
      SumTaps(image.pixels.data() + row, 3, tap, target);
      target += 3;
    }
  }
  return result;
}

media::Image ResampleColumns(const media::Image& image, int height, ResampleFilter filter) {
  const std::vector<Taps> taps = MakeTaps(image.height, height, filter);
  media::Image result{image.width, height, {}};
  const std::size_t step = static_cast<std::size_t>(image.width) * 3;
  result.pixels.resize(step * static_cast<std::size_t>(height));
  std::uint8_t* target = result.pixels.data();
  for (const Taps& tap : taps) {
    for (std::size_t x = 0; x < step; x += 3) {
      SumTaps(image.pixels.data() + x, step, tap, target);
      target += 3;
    }
  }
  return result;
}

}  // namespace

base::Result<media::Image> Resample(const media::Image& image, int width, int height,
                                    ResampleFilter filter) {
  if (image.IsEmpty() || width < 1 || height < 1 || width > kMaxSide || height > kMaxSide) {
    return base::InvalidArgument("cannot resize a picture of " + std::to_string(image.width) +
                                 " x " + std::to_string(image.height) + " to " +
                                 std::to_string(width) + " x " + std::to_string(height));
  }
  if (image.pixels.size() !=
      static_cast<std::size_t>(image.width) * static_cast<std::size_t>(image.height) * 3) {
    return base::InvalidArgument("the pixels of a picture do not fill its size");
  }
  const bool columns_first = image.height > 2 * image.width && height < image.height;
  media::Image result = image;
  if (columns_first) result = ResampleColumns(result, height, filter);
  if (result.width != width) result = ResampleRows(result, width, filter);
  if (result.height != height) result = ResampleColumns(result, height, filter);
  return result;
}

media::Image Crop(const media::Image& image, int x, int y, int width, int height) {
  media::Image result{width, height, {}};
  result.pixels.resize(static_cast<std::size_t>(width) * static_cast<std::size_t>(height) * 3);
  const int from = std::max(0, -x);
  const int to = std::min(width, image.width - x);
  for (int row = 0; row < height; ++row) {
    const int source_row = y + row;
    if (source_row < 0 || source_row >= image.height || from >= to) continue;
    const auto source = (static_cast<std::ptrdiff_t>(source_row) * image.width + x + from) * 3;
    const auto target = (static_cast<std::ptrdiff_t>(row) * width + from) * 3;
    std::copy_n(image.pixels.begin() + source, static_cast<std::ptrdiff_t>(to - from) * 3,
                result.pixels.begin() + target);
  }
  return result;
}

}  // namespace sightline::model
