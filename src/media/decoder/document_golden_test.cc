// Whole documents of samples/ through the decoders in this process: text, boxes and kinds against
// golden files, and every limit gone over by one. SIGHTLINE_UPDATE_GOLDEN=1 writes the golden
// files.
#include <fcntl.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <fstream>
#include <functional>
#include <sstream>
#include <string>
#include <vector>

#include "media/decoder/decode_document.h"

namespace sightline::media {
namespace {

using testing::HasSubstr;

/// Writes what it gets as lines of text.
class TextSink final : public DecodeSink {
 public:
  base::Status OnInfo(DocumentInfo got) override {
    info = std::move(got);
    return base::OkStatus();
  }
  base::Status OnPage(DecodedPage page) override {
    text << "page " << page.page_number << " " << std::lround(page.width_pt) << "x"
         << std::lround(page.height_pt) << (page.needs_ocr ? " needs OCR" : "") << "\n";
    static constexpr const char* kKinds[] = {"paragraph", "heading", "table", "figure",
                                             "caption",   "list",    "other"};
    for (const LayoutBlock& block : page.blocks) {
      text << kKinds[static_cast<int>(block.kind)] << " " << std::lround(block.box.x) << ","
           << std::lround(block.box.y) << " " << std::lround(block.box.width) << "x"
           << std::lround(block.box.height) << "\n";
      for (const TextLine& line : block.lines) text << "  " << line.text << "\n";
    }
    largest_render = std::max(largest_render, page.render.pixels.size() / 3);
    ++pages;
    return base::OkStatus();
  }
  base::Status OnFrame(DecodedFrame frame) override {
    frames.push_back(std::move(frame));
    return base::OkStatus();
  }
  base::Status OnAudio(DecodedAudio audio) override {
    audio_samples += audio.samples.size();
    return base::OkStatus();
  }
  base::Status OnText(DecodedText cue) override {
    cues.push_back(std::move(cue));
    return base::OkStatus();
  }
  base::Status OnWarning(std::string message) override {
    text << "warning: " << message << "\n";
    return base::OkStatus();
  }

  DocumentInfo info;
  std::ostringstream text;
  int pages = 0;
  std::size_t largest_render = 0;
  std::vector<DecodedFrame> frames;
  std::size_t audio_samples = 0;
  std::vector<DecodedText> cues;
};

class NoSteps final : public StepObserver {
 public:
  void BeginStep(int /*page*/, const std::string& /*name*/, int /*cpu_seconds*/) override {}
};

base::Status Decode(const std::string& path, TextSink& sink, DecodeRequest request = {}) {
  const int fd = open(path.c_str(), O_RDONLY | O_CLOEXEC);
  EXPECT_GE(fd, 0) << path;
  const auto input = InputFile::FromDescriptor(fd);
  EXPECT_TRUE(input.ok());
  NoSteps steps;
  base::Status status = DecodeDocument(*input, request, 1, sink, steps);
  close(fd);
  return status;
}

std::string ReadAll(const std::string& path) {
  std::ifstream file(path);
  return {std::istreambuf_iterator<char>(file), {}};
}

class GoldenTest : public testing::TestWithParam<const char*> {};

TEST_P(GoldenTest, TextBoxesAndKindsAreAsTheyWere) {
  TextSink sink;
  const std::string name = GetParam();
  ASSERT_TRUE(Decode("samples/" + name + ".pdf", sink).ok());
  const std::string golden = "tests/golden/layout/" + name + ".txt";
  if (std::getenv("SIGHTLINE_UPDATE_GOLDEN") != nullptr) {  // NOLINT(concurrency-mt-unsafe)
    std::ofstream(golden) << sink.text.str();
  }
  EXPECT_EQ(sink.text.str(), ReadAll(golden)) << "see the head of this file to renew " << golden;
}

INSTANTIATE_TEST_SUITE_P(Samples, GoldenTest, testing::Values("handbook-zh", "report-en"),
                         [](const auto& sample) { return std::string(sample.param).substr(0, 6); });

/// Decodes a sample with one limit lowered; the status.
base::Status WithLimit(const char* sample, const std::function<void(DecodeLimits&)>& lower) {
  DecodeRequest request;
  lower(request.limits);
  TextSink sink;
  return Decode(std::string("samples/") + sample, sink, request);
}

TEST(LimitsTest, OnePageTooMany) {
  const auto status = WithLimit("handbook-zh.pdf", [](DecodeLimits& l) { l.max_pages = 15; });
  EXPECT_EQ(status.code(), base::StatusCode::kResourceExhausted);
  EXPECT_THAT(status.message(), HasSubstr("more pages than the limit of 15"));
  EXPECT_TRUE(WithLimit("handbook-zh.pdf", [](DecodeLimits& l) { l.max_pages = 16; }).ok());
}

TEST(LimitsTest, ARenderIsNeverLargerThanItsLimit) {
  DecodeRequest request;
  request.limits.max_render_pixels = 100'000;
  TextSink sink;
  ASSERT_TRUE(Decode("samples/handbook-zh.pdf", sink, request).ok());
  EXPECT_LE(sink.largest_render, 100'000U);
  EXPECT_GT(sink.largest_render, 90'000U);
}

base::Result<EncodedImage> Draw(const char* sample, DrawRequest request) {
  const std::string path = std::string("samples/") + sample;
  const int fd = open(path.c_str(), O_RDONLY | O_CLOEXEC);
  EXPECT_GE(fd, 0) << path;
  const auto input = InputFile::FromDescriptor(fd);
  auto drawn = DrawOnePage(*input, request);
  close(fd);
  return drawn;
}

TEST(DrawPageTest, APageIsAsWideAsAskedAndNeverLargerThanItsLimit) {
  for (const int width_px : {200, 1234, 3000}) {
    const auto drawn = Draw("handbook-zh.pdf",
                            {.path = "", .page_number = 16, .width_px = width_px, .limits = {}});
    ASSERT_TRUE(drawn.ok()) << drawn.status().ToString();
    EXPECT_EQ(drawn->width, width_px);
    EXPECT_EQ(drawn->media_type, "image/jpeg");
  }
  DrawRequest small{.path = "", .page_number = 1, .width_px = 3000, .limits = {}};
  small.limits.max_render_pixels = 100'000;
  const auto drawn = Draw("handbook-zh.pdf", small);
  ASSERT_TRUE(drawn.ok());
  EXPECT_LE(drawn->width * drawn->height, 100'000);
  EXPECT_GT(drawn->width * drawn->height, 90'000);
}

TEST(DrawPageTest, OnlyPagesThatAreThereAreDrawn) {
  const auto code = [](const char* sample, int page) {
    return Draw(sample, {.path = "", .page_number = page, .width_px = 800, .limits = {}})
        .status()
        .code();
  };
  EXPECT_EQ(code("handbook-zh.pdf", 17), base::StatusCode::kNotFound);
  EXPECT_EQ(code("scan-report-en.jpg", 1), base::StatusCode::kOk);
  EXPECT_EQ(code("scan-report-en.jpg", 2), base::StatusCode::kNotFound);
  EXPECT_EQ(code("silent.mp4", 1), base::StatusCode::kNotFound);
  EXPECT_EQ(code("README.md", 1), base::StatusCode::kNotFound);
}

TEST(LimitsTest, AVideoThatIsTooLong) {
  const auto status = WithLimit("silent.mp4", [](DecodeLimits& l) { l.max_duration_ms = 35'999; });
  EXPECT_EQ(status.code(), base::StatusCode::kResourceExhausted);
}

TEST(LimitsTest, ATextThatIsTooLong) {
  const auto status = WithLimit("README.md", [](DecodeLimits& l) { l.max_text_bytes = 100; });
  EXPECT_EQ(status.code(), base::StatusCode::kResourceExhausted);
}

TEST(LimitsTest, APictureThatIsTooLarge) {
  const auto status =
      WithLimit("scan-report-en.jpg", [](DecodeLimits& l) { l.max_image_pixels = 1'000'000; });
  EXPECT_EQ(status.code(), base::StatusCode::kResourceExhausted);
}

TEST(SampleVideoTest, FramesCuesAndSoundAreThere) {
  TextSink sink;
  ASSERT_TRUE(Decode("samples/laboratory-zh.mp4", sink).ok());
  EXPECT_EQ(sink.info.kind, DocumentKind::kVideo);
  EXPECT_TRUE(sink.info.has_audio);
  ASSERT_FALSE(sink.frames.empty());
  EXPECT_EQ(sink.frames.front().pts_ms, 0);
  // Slides change about six times in two minutes; forcing frames would give more than eighty.
  EXPECT_GE(sink.frames.size(), 6U);
  EXPECT_LE(sink.frames.size(), 60U);
  const double seconds = static_cast<double>(sink.audio_samples) / 16'000;
  EXPECT_NEAR(seconds, static_cast<double>(sink.info.duration_ms) / 1000, 2.0);
  ASSERT_FALSE(sink.cues.empty());
  EXPECT_EQ(sink.cues.front().source, TextSource::kSubtitle);
  EXPECT_GT(sink.cues.front().end_ms, sink.cues.front().start_ms);
}

TEST(SampleVideoTest, NobodyWantsSamples) {
  DecodeRequest request;
  request.audio = false;
  TextSink sink;
  ASSERT_TRUE(Decode("samples/machines-en.mp4", sink, request).ok());
  EXPECT_EQ(sink.audio_samples, 0U);
  EXPECT_TRUE(sink.info.has_audio);
}

}  // namespace
}  // namespace sightline::media
