#include "media/decoder/preview_encoder.h"

#include <webp/encode.h>

#include <utility>

#include "media/decoder/image_scale.h"

namespace sightline::media {
namespace {

// Measured on rendered text pages: method 0 costs a quarter of method 4 for 20 % larger files.
constexpr float kQuality = 75;
constexpr int kMethod = 0;

}  // namespace

base::Result<EncodedImage> EncodePreview(const Image& image, int long_side_px) {
  if (image.IsEmpty()) return base::InvalidArgument("no picture to make a preview of");
  const PixelSize size = FitLongSide({image.width, image.height}, long_side_px);
  Image scaled;
  const bool shrinks = size != PixelSize{image.width, image.height};
  if (shrinks) scaled = ScaleImage(image, size);
  const Image& source = shrinks ? scaled : image;

  WebPConfig config;
  WebPPicture picture;
  if (!WebPConfigPreset(&config, WEBP_PRESET_DEFAULT, kQuality) || !WebPPictureInit(&picture)) {
    return base::FailedPrecondition("libwebp does not fit its headers");
  }
  config.method = kMethod;
  picture.width = source.width;
  picture.height = source.height;
  WebPMemoryWriter writer;
  WebPMemoryWriterInit(&writer);
  picture.writer = WebPMemoryWrite;
  picture.custom_ptr = &writer;
  const bool encoded = WebPPictureImportRGB(&picture, source.pixels.data(), source.width * 3) &&
                       WebPEncode(&config, &picture);
  EncodedImage out;
  if (encoded) {
    out.media_type = "image/webp";
    out.width = source.width;
    out.height = source.height;
    out.bytes.assign(reinterpret_cast<const char*>(writer.mem), writer.size);
  }
  WebPPictureFree(&picture);
  WebPMemoryWriterClear(&writer);
  if (!encoded) {
    return base::ResourceExhausted("cannot encode the preview: libwebp error " +
                                   std::to_string(static_cast<int>(picture.error_code)));
  }
  return out;
}

}  // namespace sightline::media
