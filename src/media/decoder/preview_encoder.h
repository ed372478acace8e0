// Pictures for people to look at: previews as JPEG.
#pragma once

#include "base/result.h"
#include "media/image.h"

namespace sightline::media {

/// `image` as a JPEG file, its long side at most `long_side_px`.
base::Result<EncodedImage> EncodePreview(const Image& image, int long_side_px);

}  // namespace sightline::media
