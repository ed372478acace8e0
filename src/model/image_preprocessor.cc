#include "model/image_preprocessor.h"

#include <algorithm>
#include <cmath>

#include "model/json_object.h"

namespace sightline::model {
namespace {

constexpr int kMaxSide = 4096;
constexpr double kPillowBilinear = 2;
constexpr double kPillowBicubic = 3;

int Side(const JsonObject& config, std::string_view path) {
  const double value = config.Number(path).value_or(0);
  return value >= 1 && value <= kMaxSide ? static_cast<int>(value) : 0;
}

base::Status ReadTriple(const JsonObject& config, std::string_view path,
                        std::array<double, 3>* values) {
  const auto numbers = config.Numbers(path);
  if (!numbers || numbers->size() != 3) {
    return base::DataLoss("the picture preprocessing lacks three numbers: " + std::string(path));
  }
  std::copy_n(numbers->begin(), 3, values->begin());
  return base::OkStatus();
}

}  // namespace

base::Result<ImagePreprocessor> ImagePreprocessor::Parse(std::string_view json) {
  SIGHTLINE_ASSIGN_OR_RETURN(const JsonObject config, JsonObject::Parse(json));
  ImagePreprocessor result;
  result.resizes_ = config.Bool("do_resize").value_or(true);
  result.shortest_edge_ = std::max(Side(config, "size.shortest_edge"), Side(config, "size"));
  result.resize_width_ = Side(config, "size.width");
  result.resize_height_ = Side(config, "size.height");
  // Compared as it stands: a number of the file may be far outside of an int.
  const double filter = config.Number("resample").value_or(kPillowBicubic);
  if (filter != kPillowBilinear && filter != kPillowBicubic) {
    return base::DataLoss("the picture preprocessing asks for an unknown filter: resample");
  }
  result.filter_ = filter == kPillowBilinear ? ResampleFilter::kBilinear : ResampleFilter::kBicubic;
  result.crops_ = config.Bool("do_center_crop").value_or(result.shortest_edge_ > 0);
  const int square = Side(config, "crop_size");
  result.width_ =
      result.crops_ ? std::max(Side(config, "crop_size.width"), square) : result.resize_width_;
  result.height_ =
      result.crops_ ? std::max(Side(config, "crop_size.height"), square) : result.resize_height_;
  const bool resize_known =
      result.shortest_edge_ > 0 || (result.resize_width_ > 0 && result.resize_height_ > 0);
  if (result.width_ == 0 || result.height_ == 0 || (result.resizes_ && !resize_known)) {
    return base::DataLoss("the picture preprocessing has no size, or one out of range");
  }
  result.scale_ = config.Bool("do_rescale").value_or(true)
                      ? config.Number("rescale_factor").value_or(1.0 / 255)
                      : 1.0;
  if (config.Bool("do_normalize").value_or(true)) {
    SIGHTLINE_RETURN_IF_ERROR(ReadTriple(config, "image_mean", &result.mean_));
    SIGHTLINE_RETURN_IF_ERROR(ReadTriple(config, "image_std", &result.deviation_));
    if (std::ranges::any_of(result.deviation_, [](double v) { return !(v > 0); })) {
      return base::DataLoss("a deviation of the picture preprocessing is not positive");
    }
  }
  return result;
}

base::Result<media::Image> ImagePreprocessor::Resize(const media::Image& image) const {
  if (!resizes_) return image;
  if (shortest_edge_ == 0) return Resample(image, resize_width_, resize_height_, filter_);
  const std::int64_t shorter = std::min(image.width, image.height);
  if (shorter < 1) return base::InvalidArgument("a picture to encode is empty");
  const auto scaled = [&](int side) {
    const std::int64_t size = std::int64_t{side} * shortest_edge_ / shorter;
    return static_cast<int>(std::min<std::int64_t>(size, 16'384));
  };
  return Resample(image, scaled(image.width), scaled(image.height), filter_);
}

base::Status ImagePreprocessor::Prepare(const media::Image& image, std::span<float> values) const {
  SIGHTLINE_ASSIGN_OR_RETURN(media::Image resized, Resize(image));
  if (resized.width != width_ || resized.height != height_) {
    // Python's floor division: an odd remainder goes to the right and the bottom.
    const auto margin = [](int outer, int inner) {
      return static_cast<int>(std::floor((outer - inner) / 2.0));
    };
    resized = Crop(resized, margin(resized.width, width_), margin(resized.height, height_), width_,
                   height_);
  }
  const std::size_t plane = value_count() / 3;
  for (std::size_t channel = 0; channel < 3; ++channel) {
    const double gain = scale_ / deviation_[channel];
    const double offset = mean_[channel] / deviation_[channel];
    for (std::size_t pixel = 0; pixel < plane; ++pixel) {
      values[channel * plane + pixel] =
          static_cast<float>(resized.pixels[pixel * 3 + channel] * gain - offset);
    }
  }
  return base::OkStatus();
}

}  // namespace sightline::model
