// Pictures as documents and as queries.
#pragma once

#include "base/result.h"
#include "base/status.h"
#include "media/decoder/decode_context.h"

namespace sightline::media {

/// Decodes a picture file; registered for DocumentKind::kImage. It comes as one frame at 0 ms whose
/// long side is at most the request's `render_long_side_px`.
base::Status DecodePictureDocument(const DecodeContext& context);

/// One picture, upright and over white, its long side at most `long_side_px`.
base::Result<Image> DecodePicture(const InputFile& input, const SniffedType& type,
                                  const DecodeLimits& limits, int long_side_px);

/// A picture file as JPEG, its width at most the request's; see Decoder::DrawPage.
base::Result<EncodedImage> DrawPicture(const InputFile& input, const SniffedType& type,
                                       const DrawRequest& request);

}  // namespace sightline::media
