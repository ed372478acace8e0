// JPEG by libjpeg-turbo, already shrunk in the transform domain when less is wanted.
#include <turbojpeg.h>

#include <algorithm>
#include <string>
#include <utility>
#include <vector>

#include "media/decoder/exif_orientation.h"
#include "media/decoder/jpeg_handle.h"
#include "media/decoder/picture_format.h"

namespace sightline::media {
namespace {

struct Header {
  int width = 0;
  int height = 0;
  int subsampling = 0;
  int colorspace = 0;
};

/// The smallest size of which libjpeg-turbo can decode that still covers `long_side_px`.
PixelSize DecodeSize(const Header& header, int long_side_px) {
  int count = 0;
  const tjscalingfactor* factors = tjGetScalingFactors(&count);
  PixelSize best{header.width, header.height};
  for (int i = 0; i < count; ++i) {
    if (factors[i].num > factors[i].denom) continue;
    const PixelSize size{TJSCALED(header.width, factors[i]), TJSCALED(header.height, factors[i])};
    const int long_side = std::max(size.width, size.height);
    if (long_side >= long_side_px && long_side < std::max(best.width, best.height)) best = size;
  }
  return best;
}

/// Adobe writes CMYK inverted; without its marker the values are inks. Both end as RGB.
Image FromCmyk(const std::vector<std::uint8_t>& cmyk, PixelSize size) {
  Image image;
  image.width = size.width;
  image.height = size.height;
  image.pixels.resize(cmyk.size() / 4 * 3);
  for (std::size_t from = 0, to = 0; from + 3 < cmyk.size(); from += 4, to += 3) {
    const unsigned key = cmyk[from + 3];
    for (std::size_t channel = 0; channel < 3; ++channel) {
      image.pixels[to + channel] = static_cast<std::uint8_t>(cmyk[from + channel] * key / 255);
    }
  }
  return image;
}

base::Result<Image> Decompress(tjhandle handle, const std::string& file, const Header& header,
                               PixelSize size, bool* damaged) {
  const bool cmyk = header.colorspace == TJCS_CMYK || header.colorspace == TJCS_YCCK;
  const std::size_t count =
      static_cast<std::size_t>(size.width) * static_cast<std::size_t>(size.height);
  std::vector<std::uint8_t> pixels(count * (cmyk ? 4 : 3), 0x80);
  const int result = tjDecompress2(handle, reinterpret_cast<const unsigned char*>(file.data()),
                                   file.size(), pixels.data(), size.width, 0, size.height,
                                   cmyk ? TJPF_CMYK : TJPF_RGB, TJFLAG_LIMITSCANS);
  if (result != 0 && tjGetErrorCode(handle) != TJERR_WARNING) {
    return base::DataLoss(std::string("the JPEG cannot be read: ") + tjGetErrorStr2(handle));
  }
  *damaged = result != 0;
  if (cmyk) return FromCmyk(pixels, size);
  Image image;
  image.width = size.width;
  image.height = size.height;
  image.pixels = std::move(pixels);
  return image;
}

}  // namespace

base::Result<DecodedPicture> DecodeJpeg(const PictureRequest& request) {
  SIGHTLINE_ASSIGN_OR_RETURN(const std::string file, ReadPictureFile(request.input));
  const JpegHandle handle(tjInitDecompress());
  if (handle == nullptr) return base::ResourceExhausted("no memory for the JPEG decoder");
  Header header;
  const int result = tjDecompressHeader3(
      handle.get(), reinterpret_cast<const unsigned char*>(file.data()), file.size(), &header.width,
      &header.height, &header.subsampling, &header.colorspace);
  if (result != 0 && tjGetErrorCode(handle.get()) != TJERR_WARNING) {
    return base::DataLoss(std::string("the JPEG cannot be read: ") + tjGetErrorStr2(handle.get()));
  }
  SIGHTLINE_RETURN_IF_ERROR(CheckPictureSize(header.width, header.height, request.max_pixels));
  DecodedPicture picture;
  SIGHTLINE_ASSIGN_OR_RETURN(
      picture.image, Decompress(handle.get(), file, header,
                                DecodeSize(header, request.long_side_px), &picture.damaged));
  const int orientation = JpegOrientation(file);
  picture.image = ApplyOrientation(std::move(picture.image), orientation);
  picture.size = orientation >= 5 ? PixelSize{header.height, header.width}
                                  : PixelSize{header.width, header.height};
  return picture;
}

}  // namespace sightline::media
