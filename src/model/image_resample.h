// Resizing and cropping of pictures exactly as Pillow does it, because encoders were trained so.
#pragma once

#include "base/result.h"
#include "media/image.h"

namespace sightline::model {

/// Pillow's filters of the same names.
enum class ResampleFilter { kBilinear, kBicubic };

/// `image` in another size. The filter is stretched over all pixels of the source that a target
/// pixel covers (antialiasing); weights have 22 bits and each pass rounds to 8 bits. Rows come
/// first, columns where the picture is more than twice as high as wide and becomes smaller: for
/// sizes of the same shape the result equals that of Pillow's `Image.resize` byte for byte.
/// `kInvalidArgument` for an empty picture or a size outside 1 … 16,384.
base::Result<media::Image> Resample(const media::Image& image, int width, int height,
                                    ResampleFilter filter);

/// The rectangle at (x, y); parts outside the picture are black.
media::Image Crop(const media::Image& image, int x, int y, int width, int height);

}  // namespace sightline::model
