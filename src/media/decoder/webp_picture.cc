// WebP by libwebp; of an animation its first frame.
#include <webp/decode.h>
#include <webp/demux.h>

#include <memory>
#include <string>
#include <utility>

#include "media/decoder/exif_orientation.h"
#include "media/decoder/picture_format.h"

namespace sightline::media {
namespace {

struct DeleteAnimation {
  void operator()(WebPAnimDecoder* decoder) const { WebPAnimDecoderDelete(decoder); }
};
struct FreeWebp {
  void operator()(std::uint8_t* bytes) const { WebPFree(bytes); }
};

base::Result<Image> FirstFrame(const std::string& file) {
  WebPAnimDecoderOptions options;
  if (!WebPAnimDecoderOptionsInit(&options)) {
    return base::FailedPrecondition("libwebpdemux does not fit its headers");
  }
  options.color_mode = MODE_RGBA;
  const WebPData data{reinterpret_cast<const std::uint8_t*>(file.data()), file.size()};
  const std::unique_ptr<WebPAnimDecoder, DeleteAnimation> decoder(
      WebPAnimDecoderNew(&data, &options));
  WebPAnimInfo info;
  std::uint8_t* rgba = nullptr;
  int timestamp_ms = 0;
  if (decoder == nullptr || !WebPAnimDecoderGetInfo(decoder.get(), &info) ||
      !WebPAnimDecoderGetNext(decoder.get(), &rgba, &timestamp_ms)) {
    return base::DataLoss("the WebP cannot be read: its first frame is damaged");
  }
  return ComposeOverWhite(rgba, static_cast<int>(info.canvas_width),
                          static_cast<int>(info.canvas_height),
                          std::int64_t{info.canvas_width} * 4);
}

base::Result<Image> StillPicture(const std::string& file) {
  int width = 0;
  int height = 0;
  const std::unique_ptr<std::uint8_t, FreeWebp> rgba(WebPDecodeRGBA(
      reinterpret_cast<const std::uint8_t*>(file.data()), file.size(), &width, &height));
  if (rgba == nullptr) return base::DataLoss("the WebP cannot be read: its picture is damaged");
  return ComposeOverWhite(rgba.get(), width, height, std::int64_t{width} * 4);
}

}  // namespace

base::Result<DecodedPicture> DecodeWebp(const PictureRequest& request) {
  SIGHTLINE_ASSIGN_OR_RETURN(const std::string file, ReadPictureFile(request.input));
  WebPBitstreamFeatures features;
  if (WebPGetFeatures(reinterpret_cast<const std::uint8_t*>(file.data()), file.size(), &features) !=
      VP8_STATUS_OK) {
    return base::DataLoss("the WebP cannot be read: its header is damaged");
  }
  SIGHTLINE_RETURN_IF_ERROR(CheckPictureSize(features.width, features.height, request.max_pixels));
  DecodedPicture picture;
  SIGHTLINE_ASSIGN_OR_RETURN(picture.image,
                             features.has_animation ? FirstFrame(file) : StillPicture(file));
  picture.image = ApplyOrientation(std::move(picture.image), WebpOrientation(file));
  picture.size = {picture.image.width, picture.image.height};
  return picture;
}

}  // namespace sightline::media
