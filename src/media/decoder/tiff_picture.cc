// TIFF by libtiff: fax and other compressions, tiles, planes, palettes, CMYK, 16 bits.
#include <tiffio.h>

#include <algorithm>
#include <array>
#include <cstdarg>
#include <cstdint>
#include <cstdio>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "media/decoder/exif_orientation.h"
#include "media/decoder/picture_format.h"

namespace sightline::media {
namespace {

struct CloseTiff {
  void operator()(TIFF* tiff) const { TIFFClose(tiff); }
};
using Tiff = std::unique_ptr<TIFF, CloseTiff>;

/// The input as libtiff reads it, and the last thing that libtiff said about it.
struct TiffSource {
  const InputFile& input;
  std::int64_t position = 0;
};

thread_local std::string last_error;

void KeepError(const char* /*module*/, const char* format, va_list arguments) {
  std::array<char, 256> text = {};
  if (std::vsnprintf(text.data(), text.size(), format, arguments) <= 0) return;
  last_error = text.data();
  // libtiff says so of a strip that it could not begin: " at scanline 4294967295; got 0 bytes".
  const std::size_t none = last_error.find("4294967295");
  if (none == std::string::npos) return;
  const std::size_t place = last_error.rfind(" at ", none);
  if (place != std::string::npos) last_error.erase(place, last_error.find(';', none) - place);
}

tmsize_t ReadSource(thandle_t handle, void* out, tmsize_t size) {
  auto* source = static_cast<TiffSource*>(handle);
  const auto got = source->input.ReadAt(
      source->position, {static_cast<std::uint8_t*>(out), static_cast<std::size_t>(size)});
  if (!got.ok()) return -1;
  source->position += static_cast<std::int64_t>(*got);
  return static_cast<tmsize_t>(*got);
}

tmsize_t RefuseWrite(thandle_t /*handle*/, void* /*from*/, tmsize_t /*size*/) { return -1; }

toff_t SeekSource(thandle_t handle, toff_t offset, int whence) {
  auto* source = static_cast<TiffSource*>(handle);
  const auto by = static_cast<std::int64_t>(offset);
  const std::int64_t start = whence == SEEK_SET   ? 0
                             : whence == SEEK_CUR ? source->position
                                                  : source->input.size_bytes();
  source->position = std::max<std::int64_t>(0, start + by);
  return static_cast<toff_t>(source->position);
}

int CloseSource(thandle_t /*handle*/) { return 0; }

toff_t SourceSize(thandle_t handle) {
  return static_cast<toff_t>(static_cast<TiffSource*>(handle)->input.size_bytes());
}

base::Status Unreadable() {
  return base::DataLoss("the TIFF cannot be read: " +
                        (last_error.empty() ? std::string("damaged") : last_error));
}

/// The first page's rows as they are stored, premultiplied RGBA in libtiff's packing.
base::Result<Image> ReadRows(TIFF* tiff, int width, int height, bool* damaged) {
  TIFFRGBAImage rgba = {};
  std::array<char, 1024> message = {};
  if (TIFFRGBAImageBegin(&rgba, tiff, 0, message.data()) == 0) {
    return base::DataLoss(std::string("the TIFF cannot be read: ") + message.data());
  }
  rgba.req_orientation = rgba.orientation;
  std::vector<std::uint32_t> raster(static_cast<std::size_t>(width) *
                                    static_cast<std::size_t>(height));
  const int read = TIFFRGBAImageGet(&rgba, raster.data(), static_cast<std::uint32_t>(width),
                                    static_cast<std::uint32_t>(height));
  TIFFRGBAImageEnd(&rgba);
  // What was read before the damage is kept when there is any.
  const bool some =
      std::any_of(raster.begin(), raster.end(), [](std::uint32_t p) { return p != 0; });
  if (read == 0 && !some) return Unreadable();
  *damaged = read == 0;
  Image image;
  image.width = width;
  image.height = height;
  image.pixels.resize(raster.size() * 3);
  for (std::size_t i = 0; i < raster.size(); ++i) {
    const std::uint32_t pixel = raster[i];
    const std::uint32_t white = 255 - TIFFGetA(pixel);
    image.pixels[i * 3] = static_cast<std::uint8_t>(std::min(255U, TIFFGetR(pixel) + white));
    image.pixels[i * 3 + 1] = static_cast<std::uint8_t>(std::min(255U, TIFFGetG(pixel) + white));
    image.pixels[i * 3 + 2] = static_cast<std::uint8_t>(std::min(255U, TIFFGetB(pixel) + white));
  }
  return image;
}

base::Result<DecodedPicture> DecodeWithLibtiff(const PictureRequest& request) {
  last_error.clear();
  TIFFSetErrorHandler(&KeepError);
  TIFFSetWarningHandler(nullptr);
  TiffSource source{request.input};
  // "m": no memory mapping; the source is read.
  const Tiff tiff(TIFFClientOpen("input", "rm", &source, &ReadSource, &RefuseWrite, &SeekSource,
                                 &CloseSource, &SourceSize, nullptr, nullptr));
  if (tiff == nullptr) return Unreadable();
  std::uint32_t width = 0;
  std::uint32_t height = 0;
  if (TIFFGetField(tiff.get(), TIFFTAG_IMAGEWIDTH, &width) == 0 ||
      TIFFGetField(tiff.get(), TIFFTAG_IMAGELENGTH, &height) == 0) {
    return Unreadable();
  }
  SIGHTLINE_RETURN_IF_ERROR(CheckPictureSize(width, height, request.max_pixels));
  std::uint16_t orientation = 1;
  TIFFGetFieldDefaulted(tiff.get(), TIFFTAG_ORIENTATION, &orientation);
  DecodedPicture picture;
  SIGHTLINE_ASSIGN_OR_RETURN(picture.image, ReadRows(tiff.get(), static_cast<int>(width),
                                                     static_cast<int>(height), &picture.damaged));
  picture.image = ApplyOrientation(std::move(picture.image), orientation);
  picture.size = {picture.image.width, picture.image.height};
  return picture;
}

}  // namespace

base::Result<DecodedPicture> DecodeTiff(const PictureRequest& request) {
  base::Result<DecodedPicture> picture = DecodeWithLibtiff(request);
  if (picture.ok() || picture.status().code() != base::StatusCode::kDataLoss) return picture;
  // Layouts that libtiff's RGBA interface leaves out (16-bit CMYK, planes of odd depths).
  base::Result<DecodedPicture> second = DecodeWithFfmpeg(request);
  return second.ok() ? std::move(second) : std::move(picture);
}

}  // namespace sightline::media
