#include "model/image_resample.h"

#include <gtest/gtest.h>

#include <cstdint>
#include <string>

#include "base/digest.h"

namespace sightline::model {
namespace {

media::Image Pattern(int width, int height) {
  media::Image image{width, height, {}};
  for (int y = 0; y < height; ++y) {
    for (int x = 0; x < width; ++x) {
      for (int channel = 0; channel < 3; ++channel) {
        image.pixels.push_back(
            static_cast<std::uint8_t>((x * 7 + y * 13 + channel * 50 + x * y) % 256));
      }
    }
  }
  return image;
}

struct PillowCase {
  int source_width;
  int source_height;
  int width;
  int height;
  ResampleFilter filter;
  const char* sha256;
};

// Digests of what Pillow 13 makes of the same picture: Image.resize((w, h), filter).tobytes().
constexpr PillowCase kPillowCases[] = {
    {37, 23, 16, 16, ResampleFilter::kBicubic,
     "cc2d5fea744f3fc1b777b01f8e1c68f44f53d3c0533772ce07bee9a8fdf61491"},
    {37, 23, 64, 40, ResampleFilter::kBicubic,
     "3881f52dc8c89bce7d9996f7eced2bf7d2b4323774c2d86f0e16f203b912d9e4"},
    {37, 23, 16, 16, ResampleFilter::kBilinear,
     "c5914af50ef74733f28cc28f9e292cd3a0074777dcebde70188d83e663711240"},
    {37, 23, 37, 50, ResampleFilter::kBilinear,
     "401b0dfae8b5631d3e13ad9eb252ceac1299add565ef014a22a0316bb3d438ef"},
    {37, 23, 10, 23, ResampleFilter::kBicubic,
     "9774bbe37aa4423400567287df9d4ff84711a3182f44c115044886c9bb040145"},
    {20, 60, 15, 45, ResampleFilter::kBicubic,
     "5affde4ed408851cb918bce45e21a01c633b696b3e1560246ddffc176e9fd571"},
};

TEST(ImageResampleTest, EqualsPillowByteForByte) {
  for (const PillowCase& expected : kPillowCases) {
    const auto image = Resample(Pattern(expected.source_width, expected.source_height),
                                expected.width, expected.height, expected.filter);
    ASSERT_TRUE(image.ok());
    const std::string bytes(image->pixels.begin(), image->pixels.end());
    EXPECT_EQ(base::Sha256Hex(bytes), expected.sha256) << expected.width << "x" << expected.height;
  }
}

TEST(ImageResampleTest, RefusesEmptyPicturesAndSizesOutOfRange) {
  EXPECT_EQ(Resample({}, 4, 4, ResampleFilter::kBicubic).status().code(),
            base::StatusCode::kInvalidArgument);
  EXPECT_FALSE(Resample(Pattern(4, 4), 0, 4, ResampleFilter::kBicubic).ok());
  EXPECT_FALSE(Resample(Pattern(4, 4), 16'385, 4, ResampleFilter::kBicubic).ok());
  media::Image lying = Pattern(4, 4);
  lying.height = 400;
  EXPECT_FALSE(Resample(lying, 4, 4, ResampleFilter::kBicubic).ok());
}

TEST(ImageResampleTest, CropOutsideThePictureIsBlack) {
  const media::Image crop = Crop(Pattern(4, 4), -1, 3, 3, 2);
  ASSERT_EQ(crop.pixels.size(), 18U);
  EXPECT_EQ(crop.pixels[0], 0);             // left of the picture
  EXPECT_EQ(crop.pixels[3], 39 % 256);      // pixel (0, 3)
  EXPECT_EQ(crop.pixels[6], (7 + 39 + 3));  // pixel (1, 3)
  EXPECT_EQ(crop.pixels[12], 0);            // below it
}

}  // namespace
}  // namespace sightline::model
