// Pictures for people to look at: previews as WebP.
#pragma once

#include "base/result.h"
#include "media/image.h"

namespace sightline::media {

/// `image` as a lossy WebP file, its long side at most `long_side_px`.
base::Result<EncodedImage> EncodePreview(const Image& image, int long_side_px);

}  // namespace sightline::media
