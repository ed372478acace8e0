// Scaling pictures down.
#pragma once

#include <cstdint>

#include "media/image.h"

namespace sightline::media {

/// Width and height of a picture.
struct PixelSize {
  int width = 0;
  int height = 0;

  friend bool operator==(const PixelSize&, const PixelSize&) = default;
};

/// `size` scaled down so that its long side is at most `long_side_px`; never up, each side ≥ 1.
PixelSize FitLongSide(PixelSize size, int long_side_px);

/// `width` × `height` (in any unit) at `width_px`, smaller where it would have more than
/// `max_pixels` or a side longer than 16,383, which not every browser shows; each side ≥ 1.
PixelSize FitWidth(double width, double height, int width_px, std::int64_t max_pixels);

/// `image` at exactly `size`, by area averaging when it shrinks (no aliasing), linear otherwise.
Image ScaleImage(const Image& image, PixelSize size);

/// `image` with its long side at most `long_side_px`; the same pixels when it is small enough.
Image ShrinkToLongSide(Image image, int long_side_px);

}  // namespace sightline::media
