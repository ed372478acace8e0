#include "model/clip_encoder.h"

#include <gtest/gtest.h>

#include <boost/json.hpp>
#include <fstream>
#include <opencv2/imgcodecs.hpp>
#include <opencv2/imgproc.hpp>
#include <sstream>
#include <string>

#include "model/image_preprocessor.h"
#include "model/l2_normalize.h"

namespace sightline::model {
namespace {

const std::string kFolder = "tests/golden/tiny_clip/";

std::string ReadText(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  std::ostringstream content;
  content << file.rdbuf();
  return content.str();
}

media::Image ReadImage(const std::string& name) {
  const cv::Mat bgr = cv::imread(kFolder + name, cv::IMREAD_COLOR);
  cv::Mat rgb;
  cv::cvtColor(bgr, rgb, cv::COLOR_BGR2RGB);
  return {rgb.cols, rgb.rows, {rgb.data, rgb.data + rgb.total() * 3}};
}

std::vector<float> Numbers(const boost::json::value& array) {
  std::vector<float> values;
  for (const auto& item : array.as_array()) {
    values.push_back(static_cast<float>(item.to_number<double>()));
  }
  return values;
}

std::vector<float> Normalized(const boost::json::value& array) {
  std::vector<float> values = Numbers(array);
  L2Normalize(values);
  return values;
}

void ExpectNear(std::span<const float> actual, std::span<const float> expected, float tolerance,
                const std::string& what) {
  ASSERT_EQ(actual.size(), expected.size()) << what;
  for (std::size_t i = 0; i < actual.size(); ++i) {
    ASSERT_NEAR(actual[i], expected[i], tolerance) << what << " " << i;
  }
}

class ClipEncoderTest : public testing::Test {
 protected:
  ClipEncoderTest() : expected_(boost::json::parse(ReadText(kFolder + "expected.json"))) {
    ClipOptions options;
    options.folder = kFolder;
    options.name = "tiny-clip";
    auto opened = OpenClipEncoder(options, io::PosixFileSystem());
    EXPECT_TRUE(opened.ok()) << opened.status().ToString();
    if (opened.ok()) encoder_ = *std::move(opened);
  }

  const boost::json::value expected_;
  std::unique_ptr<DualEncoder> encoder_;
};

TEST_F(ClipEncoderTest, TextsHaveTheVectorsOfTransformers) {
  std::vector<std::string> texts;
  for (const auto& entry : expected_.at("texts").as_array()) {
    texts.emplace_back(entry.at("text").as_string());
  }
  const auto matrix = encoder_->EncodeTexts(texts, {});
  ASSERT_TRUE(matrix.ok()) << matrix.status().ToString();
  ASSERT_EQ(matrix->rows(), texts.size());
  for (std::size_t i = 0; i < texts.size(); ++i) {
    const auto& entry = expected_.at("texts").as_array()[i];
    ExpectNear(matrix->row(i), Normalized(entry.at("embeds")), 1e-3F, texts[i]);
  }
}

TEST_F(ClipEncoderTest, PicturesHaveThePixelsAndVectorsOfTransformers) {
  const auto preprocessor =
      ImagePreprocessor::Parse(ReadText(kFolder + "preprocessor_config.json"));
  ASSERT_TRUE(preprocessor.ok()) << preprocessor.status().ToString();
  for (const auto& entry : expected_.at("images").as_array()) {
    const std::string name(entry.at("file").as_string());
    const media::Image image = ReadImage(name);
    std::vector<float> pixels(preprocessor->value_count());
    ASSERT_TRUE(preprocessor->Prepare(image, pixels).ok());
    ExpectNear(pixels, Numbers(entry.at("pixel_values")), 1e-3F, name);
    const auto matrix = encoder_->EncodeImages(std::span(&image, 1), {});
    ASSERT_TRUE(matrix.ok()) << matrix.status().ToString();
    ExpectNear(matrix->row(0), Normalized(entry.at("embeds")), 1e-3F, name);
  }
}

TEST_F(ClipEncoderTest, TheSpaceDependsOnTheFiles) {
  EXPECT_EQ(encoder_->space().dims, 24);
  EXPECT_EQ(encoder_->space().weights_sha256.size(), 64U);
  EXPECT_EQ(encoder_->space().tokenizer_sha256.size(), 64U);
}

TEST(ClipFolderTest, AFolderWithoutAModelSaysWhatIsMissing) {
  ClipOptions options;
  options.folder = "tests/golden";
  const auto opened = OpenClipEncoder(options, io::PosixFileSystem());
  EXPECT_EQ(opened.status().code(), base::StatusCode::kNotFound);
  EXPECT_NE(opened.status().message().find("config.json"), std::string::npos);
}

}  // namespace
}  // namespace sightline::model
