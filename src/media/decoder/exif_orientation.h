// How a camera was held: the EXIF orientation of a picture, and turning it upright.
#pragma once

#include <string_view>

#include "media/image.h"

namespace sightline::media {

/// The orientation tag (1–8, EXIF 2.3 section 4.6.4 A) of a JPEG, PNG or WebP file; 1 when it has
/// none or the EXIF data is damaged.
int JpegOrientation(std::string_view file);
int PngOrientation(std::string_view file);
int WebpOrientation(std::string_view file);

/// `image` turned and mirrored so that it stands upright. An orientation out of 1–8 changes
/// nothing.
Image ApplyOrientation(Image image, int orientation);

}  // namespace sightline::media
