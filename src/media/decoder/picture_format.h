// What each picture format's decoder takes and gives.
#pragma once

#include <cstdint>
#include <string>

#include "base/result.h"
#include "media/decoder/image_scale.h"
#include "media/decoder/input_file.h"
#include "media/image.h"

namespace sightline::media {

/// What a format's decoder is asked for.
struct PictureRequest {
  const InputFile& input;
  std::string media_type;
  std::int64_t max_pixels = 0;  ///< Of the whole picture; more is kResourceExhausted.
  int long_side_px = 0;         ///< What is wanted; decoders may come out larger, never smaller
                                ///< unless the picture is.
};

/// What a format's decoder gives.
struct DecodedPicture {
  Image image;           ///< Upright, over white.
  PixelSize size;        ///< Of the whole picture, upright.
  bool damaged = false;  ///< A part could not be read and is grey or missing.
};

/// Reads a whole file that a format's library wants in memory; kResourceExhausted over 256 MiB.
base::Result<std::string> ReadPictureFile(const InputFile& input);

/// kDataLoss for an empty picture, kResourceExhausted for one over `max_pixels`.
base::Status CheckPictureSize(std::int64_t width, std::int64_t height, std::int64_t max_pixels);

/// RGBA rows (not premultiplied) over white.
Image ComposeOverWhite(const std::uint8_t* rgba, int width, int height, std::int64_t stride_bytes);

/// JPEG, also CMYK, shrunk in the transform domain; EXIF orientation applied.
base::Result<DecodedPicture> DecodeJpeg(const PictureRequest& request);
/// WebP, of an animation the first frame.
base::Result<DecodedPicture> DecodeWebp(const PictureRequest& request);
/// The first page of a TIFF.
base::Result<DecodedPicture> DecodeTiff(const PictureRequest& request);
/// PNG, GIF (first frame), BMP, PNM, JPEG 2000, PSD, icons, …: whatever FFmpeg decodes as pictures.
base::Result<DecodedPicture> DecodeWithFfmpeg(const PictureRequest& request);

}  // namespace sightline::media
