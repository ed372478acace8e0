#include "model/image_preprocessor.h"

#include <gtest/gtest.h>

#include <string>

namespace sightline::model {
namespace {

constexpr char kClip[] = R"({"do_resize":true,"size":{"shortest_edge":8},"resample":3,
  "do_center_crop":true,"crop_size":{"height":8,"width":8},"do_rescale":true,
  "rescale_factor":0.00392156862745098,"do_normalize":true,
  "image_mean":[0.5,0.5,0.5],"image_std":[0.25,0.5,0.5]})";

TEST(ImagePreprocessorTest, OneColourStaysThatColour) {
  const auto preprocessor = ImagePreprocessor::Parse(kClip);
  ASSERT_TRUE(preprocessor.ok()) << preprocessor.status().ToString();
  media::Image image{20, 10, {}};
  for (int i = 0; i < 200; ++i) image.pixels.insert(image.pixels.end(), {255, 0, 51});
  std::vector<float> values(preprocessor->value_count());
  ASSERT_TRUE(preprocessor->Prepare(image, values).ok());
  EXPECT_NEAR(values[0], 2.0F, 1e-6);
  EXPECT_NEAR(values[64], -1.0F, 1e-6);
  EXPECT_NEAR(values[128], -0.6F, 1e-6);
}

TEST(ImagePreprocessorTest, OlderFormsWithPlainNumbersAreRead) {
  const auto preprocessor = ImagePreprocessor::Parse(
      R"({"size":224,"crop_size":224,"image_mean":[0,0,0],"image_std":[1,1,1]})");
  ASSERT_TRUE(preprocessor.ok()) << preprocessor.status().ToString();
  EXPECT_EQ(preprocessor->width(), 224);
}

TEST(ImagePreprocessorTest, OtherConfigurationsAreRefused) {
  for (const char* json :
       {"", "{}", R"({"size":999999,"crop_size":224,"image_mean":[0,0,0],"image_std":[1,1,1]})",
        R"({"size":8,"crop_size":8,"image_mean":[0,0],"image_std":[1,1,1]})",
        R"({"size":8,"crop_size":8,"image_mean":[0,0,0],"image_std":[1,0,1]})",
        R"({"size":8,"crop_size":8,"resample":1e300,"image_mean":[0,0,0],"image_std":[1,1,1]})",
        R"({"size":8,"crop_size":8,"resample":0,"image_mean":[0,0,0],"image_std":[1,1,1]})"}) {
    EXPECT_EQ(ImagePreprocessor::Parse(json).status().code(), base::StatusCode::kDataLoss) << json;
  }
}

TEST(ImagePreprocessorTest, AnEmptyPictureIsTheCallersFault) {
  const auto preprocessor = ImagePreprocessor::Parse(kClip);
  ASSERT_TRUE(preprocessor.ok());
  std::vector<float> values(preprocessor->value_count());
  EXPECT_EQ(preprocessor->Prepare({}, values).code(), base::StatusCode::kInvalidArgument);
}

}  // namespace
}  // namespace sightline::model
