#include "media/decoder/frame_image.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <utility>

extern "C" {
#include <libavutil/display.h>
#include <libavutil/pixdesc.h>
}

#include "media/decoder/exif_orientation.h"
#include "media/decoder/picture_format.h"

namespace sightline::media {
namespace {

bool HasAlpha(int format) {
  if (format == AV_PIX_FMT_PAL8) return true;
  const AVPixFmtDescriptor* descriptor = av_pix_fmt_desc_get(static_cast<AVPixelFormat>(format));
  return descriptor != nullptr && (descriptor->flags & AV_PIX_FMT_FLAG_ALPHA) != 0;
}

/// swscale wants the plain format and the range beside it.
std::pair<int, bool> PlainFormat(const AVFrame& frame) {
  switch (frame.format) {
    case AV_PIX_FMT_YUVJ420P:
      return {AV_PIX_FMT_YUV420P, true};
    case AV_PIX_FMT_YUVJ422P:
      return {AV_PIX_FMT_YUV422P, true};
    case AV_PIX_FMT_YUVJ444P:
      return {AV_PIX_FMT_YUV444P, true};
    case AV_PIX_FMT_YUVJ440P:
      return {AV_PIX_FMT_YUV440P, true};
    default:
      return {frame.format, frame.color_range == AVCOL_RANGE_JPEG};
  }
}

/// High definition is BT.709 unless the file says otherwise.
int ColorMatrix(const AVFrame& frame) {
  switch (frame.colorspace) {
    case AVCOL_SPC_BT709:
      return SWS_CS_ITU709;
    case AVCOL_SPC_BT470BG:
    case AVCOL_SPC_SMPTE170M:
      return SWS_CS_ITU601;
    case AVCOL_SPC_BT2020_NCL:
    case AVCOL_SPC_BT2020_CL:
      return SWS_CS_BT2020;
    default:
      return frame.height >= 720 ? SWS_CS_ITU709 : SWS_CS_ITU601;
  }
}

}  // namespace

Presentation PresentationOf(const AVStream& stream) {
  Presentation presentation;
  const AVRational aspect = stream.sample_aspect_ratio.num > 0
                                ? stream.sample_aspect_ratio
                                : stream.codecpar->sample_aspect_ratio;
  const double ratio = aspect.den > 0 ? static_cast<double>(aspect.num) / aspect.den : 0;
  if (ratio > 0.1 && ratio < 10) presentation.pixel_aspect = aspect;
  std::size_t size = 0;
  const std::uint8_t* matrix = av_stream_get_side_data(&stream, AV_PKT_DATA_DISPLAYMATRIX, &size);
  if (matrix != nullptr && size >= 9 * sizeof(std::int32_t)) {
    std::array<std::int32_t, 9> values = {};
    std::copy_n(matrix, sizeof(values), reinterpret_cast<std::uint8_t*>(values.data()));
    const double degrees = av_display_rotation_get(values.data());
    // FFmpeg counts counterclockwise.
    if (std::isfinite(degrees)) {
      const auto turns = static_cast<int>(std::lround(-degrees / 90));
      presentation.quarter_turns = ((turns % 4) + 4) % 4;
    }
  }
  return presentation;
}

PixelSize PresentedSize(PixelSize coded, const Presentation& presentation) {
  const double aspect =
      static_cast<double>(presentation.pixel_aspect.num) / presentation.pixel_aspect.den;
  PixelSize size = coded;
  // Stretch the side that grows, so that no line is lost.
  if (aspect > 1) size.width = std::max(1, static_cast<int>(std::lround(size.width * aspect)));
  if (aspect < 1) size.height = std::max(1, static_cast<int>(std::lround(size.height / aspect)));
  if (presentation.quarter_turns % 2 != 0) std::swap(size.width, size.height);
  return size;
}

base::Result<SwsContext*> FrameConverter::Scaler(const AVFrame& frame, PixelSize to,
                                                 AVPixelFormat format) {
  const auto [plain, full_range] = PlainFormat(frame);
  const PixelSize from{frame.width, frame.height};
  if (scaler_ != nullptr && from_ == from && to_ == to && from_format_ == plain &&
      to_format_ == format) {
    return scaler_.get();
  }
  scaler_.reset(sws_getContext(from.width, from.height, static_cast<AVPixelFormat>(plain), to.width,
                               to.height, format, SWS_AREA | SWS_ACCURATE_RND | SWS_FULL_CHR_H_INT,
                               nullptr, nullptr, nullptr));
  if (scaler_ == nullptr) return base::DataLoss("the frame's pixel format cannot be converted");
  const int* matrix = sws_getCoefficients(ColorMatrix(frame));
  sws_setColorspaceDetails(scaler_.get(), matrix, full_range ? 1 : 0,
                           sws_getCoefficients(SWS_CS_DEFAULT), 1, 0, 1 << 16, 1 << 16);
  from_ = from;
  to_ = to;
  from_format_ = plain;
  to_format_ = format;
  return scaler_.get();
}

base::Result<Image> FrameConverter::ToImage(const AVFrame& frame, const Presentation& presentation,
                                            int long_side_px) {
  if (frame.width <= 0 || frame.height <= 0 || frame.data[0] == nullptr) {
    return base::DataLoss("a frame without pixels");
  }
  Presentation unturned = presentation;
  unturned.quarter_turns = 0;
  const PixelSize to =
      FitLongSide(PresentedSize({frame.width, frame.height}, unturned), long_side_px);
  const bool alpha = HasAlpha(frame.format);
  const AVPixelFormat format = alpha ? AV_PIX_FMT_RGBA : AV_PIX_FMT_RGB24;
  SIGHTLINE_ASSIGN_OR_RETURN(SwsContext * scaler, Scaler(frame, to, format));
  // swscale's vector code writes past the end of short rows: rows are padded, then packed.
  const int channels = alpha ? 4 : 3;
  const int stride = (to.width * channels + 127) / 64 * 64;
  std::vector<std::uint8_t> rows(
      static_cast<std::size_t>(stride) * static_cast<std::size_t>(to.height) + 64);
  std::uint8_t* planes[4] = {rows.data(), nullptr, nullptr, nullptr};
  const int strides[4] = {stride, 0, 0, 0};
  if (sws_scale(scaler, frame.data, frame.linesize, 0, frame.height, planes, strides) <= 0) {
    return base::DataLoss("a frame cannot be converted");
  }
  Image image;
  if (alpha) {
    image = ComposeOverWhite(rows.data(), to.width, to.height, stride);
  } else {
    image.width = to.width;
    image.height = to.height;
    const std::size_t row_bytes = static_cast<std::size_t>(to.width) * 3;
    image.pixels.reserve(row_bytes * static_cast<std::size_t>(to.height));
    for (int y = 0; y < to.height; ++y) {
      const std::uint8_t* row = rows.data() + static_cast<std::ptrdiff_t>(y) * stride;
      image.pixels.insert(image.pixels.end(), row, row + row_bytes);
    }
  }
  constexpr int kOrientationOfTurns[4] = {1, 6, 3, 8};
  return ApplyOrientation(std::move(image), kOrientationOfTurns[presentation.quarter_turns]);
}

}  // namespace sightline::media
