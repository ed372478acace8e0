// Pictures as a Hugging Face `preprocessor_config.json` wants them.
#pragma once

#include <array>
#include <span>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "media/image.h"
#include "model/image_resample.h"

namespace sightline::model {

/// Resize, centre crop, rescale, normalise: what CLIPImageProcessor does. Immutable.
class ImagePreprocessor {
 public:
  /// `kDataLoss` for a configuration that is not JSON, asks for something else, or gives sides
  /// outside 1 … 4,096.
  static base::Result<ImagePreprocessor> Parse(std::string_view json);

  /// Of a prepared picture, pixels.
  int width() const { return width_; }
  /// Of a prepared picture, pixels.
  int height() const { return height_; }
  /// Values of one picture, [3, height, width].
  std::size_t value_count() const {
    return 3 * static_cast<std::size_t>(width_) * static_cast<std::size_t>(height_);
  }

  /// Fills `values` (`value_count`) from `image`.
  base::Status Prepare(const media::Image& image, std::span<float> values) const;

 private:
  ImagePreprocessor() = default;
  base::Result<media::Image> Resize(const media::Image& image) const;

  bool resizes_ = true;
  int shortest_edge_ = 0;  // 0: to resize_width_ × resize_height_
  int resize_width_ = 0;
  int resize_height_ = 0;
  ResampleFilter filter_ = ResampleFilter::kBicubic;
  bool crops_ = true;
  int width_ = 0;
  int height_ = 0;
  double scale_ = 1.0 / 255;
  std::array<double, 3> mean_{};
  std::array<double, 3> deviation_{1, 1, 1};
};

}  // namespace sightline::model
