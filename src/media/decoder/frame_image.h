// FFmpeg's frames as pictures: colour conversion, alpha over white, pixel aspect, rotation.
#pragma once

#include "base/result.h"
#include "media/decoder/av_handles.h"
#include "media/decoder/image_scale.h"
#include "media/image.h"

namespace sightline::media {

/// How a stream's frames are presented.
struct Presentation {
  int quarter_turns = 0;             ///< Clockwise, 0–3.
  AVRational pixel_aspect = {1, 1};  ///< Width of a pixel : its height; 1:1 when unknown.
};

/// From the stream's display matrix and sample aspect ratio.
Presentation PresentationOf(const AVStream& stream);

/// Size of `coded` pixels as presented.
PixelSize PresentedSize(PixelSize coded, const Presentation& presentation);

/// Converts frames; keeps its scaler between frames of one size and format.
class FrameConverter {
 public:
  /// `frame` as presented, its long side at most `long_side_px`.
  base::Result<Image> ToImage(const AVFrame& frame, const Presentation& presentation,
                              int long_side_px);

 private:
  base::Result<SwsContext*> Scaler(const AVFrame& frame, PixelSize to, AVPixelFormat format);

  AvScaler scaler_;
  PixelSize from_;
  PixelSize to_;
  int from_format_ = AV_PIX_FMT_NONE;
  AVPixelFormat to_format_ = AV_PIX_FMT_NONE;
};

}  // namespace sightline::media
