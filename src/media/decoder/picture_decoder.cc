#include "media/decoder/picture_decoder.h"

#include <algorithm>
#include <cstdint>
#include <string>
#include <string_view>
#include <utility>

#include "media/decoder/image_scale.h"
#include "media/decoder/picture_format.h"
#include "media/decoder/preview_encoder.h"

namespace sightline::media {
namespace {

constexpr std::size_t kMaxPictureFileBytes = std::size_t{256} << 20;

struct PictureFormat {
  std::string_view media_type;
  base::Result<DecodedPicture> (*decode)(const PictureRequest& request);
};

// Every other picture type is FFmpeg's.
constexpr PictureFormat kFormats[] = {
    {"image/jpeg", &DecodeJpeg},
    {"image/webp", &DecodeWebp},
    {"image/tiff", &DecodeTiff},
};

base::Result<DecodedPicture> DecodeByFormat(const PictureRequest& request) {
  for (const PictureFormat& format : kFormats) {
    if (format.media_type == request.media_type) return format.decode(request);
  }
  return DecodeWithFfmpeg(request);
}

}  // namespace

base::Result<std::string> ReadPictureFile(const InputFile& input) {
  if (input.size_bytes() > static_cast<std::int64_t>(kMaxPictureFileBytes)) {
    return base::ResourceExhausted("the picture file is larger than the limit of 256 MiB");
  }
  return input.ReadPrefix(kMaxPictureFileBytes);
}

base::Status CheckPictureSize(std::int64_t width, std::int64_t height, std::int64_t max_pixels) {
  if (width <= 0 || height <= 0) return base::DataLoss("the picture is empty: it has no pixels");
  constexpr std::int64_t kMaxSide = 65'535;
  if (width > kMaxSide || height > kMaxSide || width * height > max_pixels) {
    return base::ResourceExhausted(
        "the picture is larger than the limit of " + std::to_string(max_pixels / 1'000'000) +
        " megapixels: " + std::to_string(width) + " x " + std::to_string(height));
  }
  return base::OkStatus();
}

Image ComposeOverWhite(const std::uint8_t* rgba, int width, int height, std::int64_t stride_bytes) {
  Image image;
  image.width = width;
  image.height = height;
  image.pixels.resize(static_cast<std::size_t>(width) * static_cast<std::size_t>(height) * 3);
  std::uint8_t* out = image.pixels.data();
  for (int y = 0; y < height; ++y) {
    const std::uint8_t* row = rgba + y * stride_bytes;
    for (int x = 0; x < width; ++x, row += 4, out += 3) {
      const unsigned alpha = row[3];
      for (int channel = 0; channel < 3; ++channel) {
        const unsigned value = row[channel] * alpha + 255U * (255U - alpha);
        out[channel] = static_cast<std::uint8_t>((value + 127) / 255);
      }
    }
  }
  return image;
}

base::Status DecodePictureDocument(const DecodeContext& context) {
  const DecodeRequest& request = context.request;
  SIGHTLINE_ASSIGN_OR_RETURN(
      DecodedPicture picture,
      DecodeByFormat({context.input, context.type.media_type, request.limits.max_image_pixels,
                      request.render_long_side_px}));
  DocumentInfo info;
  info.kind = DocumentKind::kImage;
  info.media_type = context.type.media_type;
  info.width = picture.size.width;
  info.height = picture.size.height;
  SIGHTLINE_RETURN_IF_ERROR(context.sink.OnInfo(std::move(info)));
  if (picture.damaged) {
    SIGHTLINE_RETURN_IF_ERROR(
        context.sink.OnWarning("the picture is damaged: a part of it could not be read"));
  }
  DecodedFrame frame;
  frame.image = ShrinkToLongSide(std::move(picture.image), request.render_long_side_px);
  SIGHTLINE_ASSIGN_OR_RETURN(frame.preview,
                             EncodePreview(frame.image, request.preview_long_side_px));
  return context.sink.OnFrame(std::move(frame));
}

base::Result<Image> DecodePicture(const InputFile& input, const SniffedType& type,
                                  const DecodeLimits& limits, int long_side_px) {
  SIGHTLINE_ASSIGN_OR_RETURN(
      DecodedPicture picture,
      DecodeByFormat({input, type.media_type, limits.max_image_pixels, long_side_px}));
  return ShrinkToLongSide(std::move(picture.image), long_side_px);
}

base::Result<EncodedImage> DrawPicture(const InputFile& input, const SniffedType& type,
                                       const DrawRequest& request) {
  // A narrow picture may be as high as a side can be: how much is wanted is known once it is read.
  constexpr int kWholeSidePx = 65'535;
  SIGHTLINE_ASSIGN_OR_RETURN(
      DecodedPicture picture,
      DecodeByFormat({input, type.media_type, request.limits.max_image_pixels, kWholeSidePx}));
  const PixelSize whole{picture.image.width, picture.image.height};
  const PixelSize size =
      FitWidth(whole.width, whole.height, std::min(request.width_px, whole.width),
               request.limits.max_render_pixels);
  const int long_side = std::max(size.width, size.height);
  if (size == whole) return EncodePreview(picture.image, long_side);
  return EncodePreview(ScaleImage(picture.image, size), long_side);
}

}  // namespace sightline::media
