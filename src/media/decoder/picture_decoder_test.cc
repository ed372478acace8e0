#include "media/decoder/picture_decoder.h"

#include <gtest/gtest.h>
#include <sys/mman.h>
#include <turbojpeg.h>
#include <unistd.h>
#include <webp/encode.h>

#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "media/decoder/decode_document.h"
#include "media/decoder/exif_orientation.h"
#include "media/decoder/image_scale.h"
#include "media/decoder/preview_encoder.h"
#include "media/decoder/sniff.h"

namespace sightline::media {
namespace {

using std::string_literals::operator""s;

/// Bytes behind a descriptor, as a decoder gets them.
class MemoryFile {
 public:
  explicit MemoryFile(const std::string& bytes) : fd_(memfd_create("input", 0)) {
    EXPECT_EQ(write(fd_, bytes.data(), bytes.size()), static_cast<ssize_t>(bytes.size()));
  }
  ~MemoryFile() { close(fd_); }
  MemoryFile(const MemoryFile&) = delete;
  MemoryFile& operator=(const MemoryFile&) = delete;
  InputFile input() const { return *InputFile::FromDescriptor(fd_); }

 private:
  int fd_;
};

base::Result<Image> Decode(const std::string& bytes, int long_side_px = 100,
                           DecodeLimits limits = {}) {
  const MemoryFile file(bytes);
  return DecodeOnePicture(file.input(), limits, long_side_px);
}

/// Left half red, right half blue.
Image HalfRedHalfBlue(int width, int height) {
  Image image{width, height, {}};
  for (int y = 0; y < height; ++y) {
    for (int x = 0; x < width; ++x) {
      const bool left = x < width / 2;
      for (const int value : {left ? 255 : 0, 0, left ? 0 : 255}) {
        image.pixels.push_back(static_cast<std::uint8_t>(value));
      }
    }
  }
  return image;
}

std::string Jpeg(const Image& image, int exif_orientation = 0) {
  const tjhandle handle = tjInitCompress();
  unsigned char* bytes = nullptr;
  unsigned long size = 0;
  EXPECT_EQ(tjCompress2(handle, image.pixels.data(), image.width, 0, image.height, TJPF_RGB, &bytes,
                        &size, TJSAMP_444, 95, 0),
            0);
  std::string file(reinterpret_cast<const char*>(bytes), size);
  tjFree(bytes);
  tjDestroy(handle);
  if (exif_orientation > 0) {
    const std::string exif = "Exif\0\0II*\0\x08\0\0\0\x01\0\x12\x01\x03\0\x01\0\0\0"s +
                             static_cast<char>(exif_orientation) + "\0\0\0\0\0\0\0"s;
    const std::size_t length = exif.size() + 2;
    file.insert(2, "\xFF\xE1"s + static_cast<char>(length >> 8U) +
                       static_cast<char>(length & 0xFFU) + exif);
  }
  return file;
}

int Channel(const Image& image, int x, int y, int channel) {
  return image.pixels[(static_cast<std::size_t>(y) * static_cast<std::size_t>(image.width) +
                       static_cast<std::size_t>(x)) *
                          3 +
                      static_cast<std::size_t>(channel)];
}

/// Grey, 16 by 16, one strip, without any of the bytes of the picture.
std::string TiffWithoutPictureData() {
  const auto number = [](std::uint32_t value, int bytes) {
    std::string text;
    for (int i = 0; i < bytes; ++i) text += static_cast<char>(value >> (8 * i) & 0xFFU);
    return text;
  };
  const std::vector<std::pair<std::uint32_t, std::uint32_t>> tags = {
      {256, 16},  {257, 16}, {258, 8},  {259, 1},  {262, 1},
      {273, 134}, {277, 1},  {278, 16}, {279, 256}};
  std::string file = "II*\0"s + number(8, 4) + number(static_cast<std::uint32_t>(tags.size()), 2);
  for (const auto& [tag, value] : tags) {
    file += number(tag, 2) + number(4, 2) + number(1, 4) + number(value, 4);
  }
  return file + number(0, 4) + std::string(4, '\0');
}

TEST(PictureDecoderTest, ATiffWithoutItsDataNamesNoRowThatDoesNotExist) {
  const base::Status status = Decode(TiffWithoutPictureData()).status();
  EXPECT_EQ(status.code(), base::StatusCode::kDataLoss);
  EXPECT_EQ(status.message(), "the TIFF cannot be read: Read error; got 0 bytes, expected 256");
}

TEST(PictureDecoderTest, JpegIsRgbFromTheTop) {
  const auto image = Decode(Jpeg(HalfRedHalfBlue(64, 32)));
  ASSERT_TRUE(image.ok()) << image.status().ToString();
  EXPECT_EQ(image->width, 64);
  EXPECT_EQ(image->height, 32);
  EXPECT_GT(Channel(*image, 5, 5, 0), 240);
  EXPECT_LT(Channel(*image, 5, 5, 2), 20);
  EXPECT_GT(Channel(*image, 60, 30, 2), 240);
}

TEST(PictureDecoderTest, LargeJpegComesOutAtTheAskedSize) {
  const auto image = Decode(Jpeg(HalfRedHalfBlue(1000, 500)), 100);
  ASSERT_TRUE(image.ok());
  EXPECT_EQ(image->width, 100);
  EXPECT_EQ(image->height, 50);
}

TEST(PictureDecoderTest, ExifOrientationIsApplied) {
  // Orientation 6: the camera's left is the top of the picture.
  const auto image = Decode(Jpeg(HalfRedHalfBlue(64, 32), 6));
  ASSERT_TRUE(image.ok());
  EXPECT_EQ(image->width, 32);
  EXPECT_EQ(image->height, 64);
  EXPECT_GT(Channel(*image, 16, 5, 0), 240);
  EXPECT_GT(Channel(*image, 16, 60, 2), 240);
}

TEST(PictureDecoderTest, OnePixelOverTheLimitIsRefused) {
  DecodeLimits limits;
  limits.max_image_pixels = 64 * 32;
  EXPECT_TRUE(Decode(Jpeg(HalfRedHalfBlue(64, 32)), 100, limits).ok());
  limits.max_image_pixels -= 1;
  EXPECT_EQ(Decode(Jpeg(HalfRedHalfBlue(64, 32)), 100, limits).status().code(),
            base::StatusCode::kResourceExhausted);
}

TEST(PictureDecoderTest, TransparencyIsOverWhite) {
  const std::vector<std::uint8_t> rgba = {255, 0, 0, 255, 0, 0, 0, 0, 0, 0, 0, 128, 0, 255, 0, 255};
  std::uint8_t* bytes = nullptr;
  const std::size_t size = WebPEncodeLosslessRGBA(rgba.data(), 2, 2, 8, &bytes);
  const auto image = Decode(std::string(reinterpret_cast<const char*>(bytes), size));
  WebPFree(bytes);
  ASSERT_TRUE(image.ok()) << image.status().ToString();
  EXPECT_EQ(Channel(*image, 0, 0, 0), 255);
  EXPECT_EQ(Channel(*image, 1, 0, 0), 255);
  EXPECT_EQ(Channel(*image, 1, 0, 1), 255);
  EXPECT_NEAR(Channel(*image, 0, 1, 2), 127, 1);
  EXPECT_EQ(Channel(*image, 1, 1, 1), 255);
}

TEST(PictureDecoderTest, PnmAndBmpAreRead) {
  const auto pnm = Decode("P6\n2 1\n255\n\xFF\0\0\0\0\xFF"s);
  ASSERT_TRUE(pnm.ok()) << pnm.status().ToString();
  EXPECT_EQ(pnm->pixels, (std::vector<std::uint8_t>{255, 0, 0, 0, 0, 255}));
}

TEST(PictureDecoderTest, AnEmptyOrHugeHeaderIsAReason) {
  EXPECT_EQ(Decode("GIF89a\xFF\xFF\xFF\xFF\0\0\0"s).status().code(),
            base::StatusCode::kResourceExhausted);
  EXPECT_EQ(Decode("GIF89a\0\0\x01\0\0\0\0"s).status(),
            base::DataLoss("the picture is empty: it has no pixels"));
  const std::string png = "\x89PNG\r\n\x1A\n\0\0\0\rIHDR\0\1\0\0\0\1\0\0\x08\x02\0\0\0"s;
  EXPECT_EQ(Decode(png).status().code(), base::StatusCode::kResourceExhausted);
}

TEST(PictureDecoderTest, OtherKindsAreRefusedByName) {
  EXPECT_EQ(Decode("%PDF-1.7\n").status(), base::InvalidArgument("not a picture, but: pdf"));
  EXPECT_EQ(Decode("").status(), base::InvalidArgument("the file is empty"));
}

TEST(PictureDecoderTest, NoTruncationOfAPictureCrashes) {
  const std::string jpeg = Jpeg(HalfRedHalfBlue(64, 32), 6);
  for (std::size_t size = 0; size < jpeg.size(); size += 7) {
    const auto image = Decode(jpeg.substr(0, size));
    EXPECT_TRUE(image.ok() || !image.status().message().empty());
  }
}

TEST(OrientationTest, TurningBackGivesThePicture) {
  const Image image = HalfRedHalfBlue(4, 2);
  constexpr int kInverse[9] = {1, 1, 2, 3, 4, 5, 8, 7, 6};
  for (int orientation = 1; orientation <= 8; ++orientation) {
    const Image turned = ApplyOrientation(image, orientation);
    EXPECT_EQ(ApplyOrientation(turned, kInverse[orientation]).pixels, image.pixels) << orientation;
  }
}

TEST(PreviewTest, PreviewIsAJpegWithinItsSize) {
  const auto preview = EncodePreview(HalfRedHalfBlue(300, 150), 100);
  ASSERT_TRUE(preview.ok());
  EXPECT_EQ(preview->width, 100);
  EXPECT_EQ(preview->height, 50);
  EXPECT_EQ(Sniff(preview->bytes).media_type, "image/jpeg");
  EXPECT_FALSE(EncodePreview(Image(), 100).ok());
}

TEST(ImageScaleTest, AWidthIsMetWithinTheLimits) {
  constexpr std::int64_t kPixels = 16'000'000;
  EXPECT_EQ(FitWidth(595.28, 841.89, 3000, kPixels), (PixelSize{3000, 4242}));
  EXPECT_EQ(FitWidth(595.28, 841.89, 200, kPixels), (PixelSize{200, 282}));
  for (const auto& [width, height] : {std::pair(100.0, 14'400.0), std::pair(1.0, 1e6),
                                      std::pair(14'400.0, 1.0), std::pair(3000.0, 9000.0)}) {
    const PixelSize size = FitWidth(width, height, 3000, kPixels);
    EXPECT_GE(std::min(size.width, size.height), 1);
    EXPECT_LE(std::max(size.width, size.height), 16'383);
    EXPECT_LE(std::int64_t{size.width} * size.height, kPixels);
  }
}

TEST(ImageScaleTest, NothingIsEnlargedOrLost) {
  EXPECT_EQ(FitLongSide({50, 20}, 100), (PixelSize{50, 20}));
  EXPECT_EQ(FitLongSide({4000, 2}, 100), (PixelSize{100, 1}));
}

}  // namespace
}  // namespace sightline::media
