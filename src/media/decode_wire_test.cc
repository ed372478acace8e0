#include "media/decode_wire.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <string>

#include "base/utf8.h"
#include "sightline/v1/decode.pb.h"

namespace sightline::media {
namespace {

DecodedPage SmallPage() {
  DecodedPage page;
  page.page_number = 3;
  page.label = "iii";
  page.width_pt = 595;
  page.height_pt = 842;
  page.blocks.push_back(
      {BlockKind::kHeading, {10, 20, 300, 18}, {{"结果 Results", {10, 20, 300, 18}}}});
  page.blocks.push_back({BlockKind::kFigure, {10, 50, 200, 100}, {}});
  page.needs_ocr = true;
  page.render = {2, 1, {1, 2, 3, 4, 5, 6}};
  page.pixels_per_point = 1.5;
  page.preview = {"image/webp", std::string("RIFF\0x", 6), 2, 1};
  return page;
}

std::string Frame(DecodedPage page) {
  v1::DecodeReply reply;
  ToWire(std::move(page), reply);
  return reply.SerializeAsString();
}

TEST(DecodeWireTest, PageComesBackAsItWent) {
  v1::DecodeReply reply;
  ASSERT_TRUE(ParseReply(Frame(SmallPage()), reply).ok());
  const auto page = PageFromWire(reply);
  ASSERT_TRUE(page.ok()) << page.status().ToString();
  const DecodedPage expected = SmallPage();
  EXPECT_EQ(page->page_number, 3);
  EXPECT_EQ(page->label, "iii");
  ASSERT_EQ(page->blocks.size(), 2U);
  EXPECT_EQ(page->blocks[0].kind, BlockKind::kHeading);
  EXPECT_EQ(page->blocks[0].lines[0].text, "结果 Results");
  EXPECT_EQ(page->blocks[0].lines[0].box, expected.blocks[0].lines[0].box);
  EXPECT_TRUE(page->blocks[1].lines.empty());
  EXPECT_TRUE(page->needs_ocr);
  EXPECT_EQ(page->render.pixels, expected.render.pixels);
  EXPECT_EQ(page->preview.bytes, expected.preview.bytes);
}

TEST(DecodeWireTest, RequestComesBackAsItWent) {
  DecodeRequest request;
  request.file_name = "报告.pdf";
  request.render_long_side_px = 1234;
  request.audio = false;
  request.limits.max_pages = 7;
  const auto parsed = ParseRequest(EncodeRequest(request, {.first_page = 5}));
  ASSERT_TRUE(parsed.ok());
  EXPECT_EQ(parsed->request.file_name, "报告.pdf");
  EXPECT_EQ(parsed->request.render_long_side_px, 1234);
  EXPECT_FALSE(parsed->request.audio);
  EXPECT_EQ(parsed->request.limits.max_pages, 7);
  EXPECT_EQ(parsed->options.first_page, 5);
}

TEST(DecodeWireTest, ADrawnPageIsAskedForAndComesBack) {
  const auto parsed = ParseRequest(EncodeRequest({}, {.drawn_page = 7, .drawn_width_px = 1800}));
  ASSERT_TRUE(parsed.ok());
  EXPECT_EQ(parsed->options.drawn_page, 7);
  EXPECT_EQ(parsed->options.drawn_width_px, 1800);
  EXPECT_FALSE(ParseRequest(EncodeRequest({}, {.drawn_page = 7, .drawn_width_px = 0})).ok());
  EXPECT_FALSE(ParseRequest(EncodeRequest({}, {.drawn_page = 7, .drawn_width_px = 70'000})).ok());
  EXPECT_FALSE(ParseRequest(EncodeRequest({}, {.drawn_page = -1, .drawn_width_px = 800})).ok());

  v1::DecodeReply reply;
  ToWire(EncodedImage{"image/webp", "RIFF 图", 1800, 900}, reply);
  const auto drawn = DrawnFromWire(reply);
  ASSERT_TRUE(drawn.ok()) << drawn.status().ToString();
  EXPECT_EQ(drawn->bytes, "RIFF 图");
  EXPECT_EQ(drawn->width, 1800);
  ToWire(EncodedImage{"text/html", "<script>", 1, 1}, reply);
  EXPECT_EQ(DrawnFromWire(reply).status().code(), base::StatusCode::kDataLoss);
  ToWire(EncodedImage{"image/webp", "", 1, 1}, reply);
  EXPECT_EQ(DrawnFromWire(reply).status().code(), base::StatusCode::kDataLoss);
}

TEST(DecodeWireTest, RequestOutOfRangeIsRefused) {
  DecodeRequest request;
  request.render_long_side_px = 0;
  EXPECT_EQ(ParseRequest(EncodeRequest(request, {})).status().code(), base::StatusCode::kDataLoss);
  request.render_long_side_px = 70'000;
  EXPECT_FALSE(ParseRequest(EncodeRequest(request, {})).ok());
  EXPECT_FALSE(ParseRequest("\xFF\xFF").ok());
}

/// Parses whatever the bytes turn out to be; the process must live and texts must be valid.
void ParseAnything(const std::string& frame) {
  v1::DecodeReply reply;
  if (!ParseReply(frame, reply).ok()) return;
  if (reply.body_case() == v1::DecodeReply::kPage) {
    const auto page = PageFromWire(reply);
    if (!page.ok()) return;
    EXPECT_EQ(page->render.pixels.size(),
              static_cast<std::size_t>(page->render.width * page->render.height * 3));
    for (const LayoutBlock& block : page->blocks) {
      for (const TextLine& line : block.lines) EXPECT_TRUE(base::IsValidUtf8(line.text));
    }
  } else if (reply.body_case() == v1::DecodeReply::kEnd) {
    EXPECT_TRUE(base::IsValidUtf8(EndFromWire(reply).message()));
  }
}

TEST(DecodeWireTest, AnyFlippedBitIsAnErrorOrAPage) {
  const std::string frame = Frame(SmallPage());
  for (std::size_t byte = 0; byte < frame.size(); ++byte) {
    for (unsigned bit = 0; bit < 8; ++bit) {
      std::string damaged = frame;
      damaged[byte] = static_cast<char>(static_cast<unsigned char>(damaged[byte]) ^ (1U << bit));
      ParseAnything(damaged);
    }
  }
}

TEST(DecodeWireTest, AnyTruncationIsAnErrorOrAPage) {
  const std::string frame = Frame(SmallPage());
  for (std::size_t size = 0; size < frame.size(); ++size) ParseAnything(frame.substr(0, size));
}

TEST(DecodeWireTest, PixelsThatDoNotFitTheSizeAreRefused) {
  DecodedPage page = SmallPage();
  page.render.width = 3;
  v1::DecodeReply reply;
  ToWire(std::move(page), reply);
  EXPECT_EQ(PageFromWire(reply).status().code(), base::StatusCode::kDataLoss);
}

TEST(DecodeWireTest, NumbersThatAreNoneAreRefused) {
  v1::DecodeReply reply;
  DecodedPage page = SmallPage();
  page.blocks[0].box.x = std::numeric_limits<double>::quiet_NaN();
  ToWire(std::move(page), reply);
  EXPECT_FALSE(PageFromWire(reply).ok());
  reply.Clear();
  page = SmallPage();
  page.width_pt = -1;
  ToWire(std::move(page), reply);
  EXPECT_FALSE(PageFromWire(reply).ok());
}

TEST(DecodeWireTest, HugeBoxesAreCutSoThatSumsStayFinite) {
  constexpr double kHuge = std::numeric_limits<double>::max();
  DecodedPage page = SmallPage();
  page.blocks[1].box = {-kHuge, kHuge, kHuge, kHuge};
  v1::DecodeReply reply;
  ASSERT_TRUE(ParseReply(Frame(page), reply).ok());
  const auto read = PageFromWire(reply);
  ASSERT_TRUE(read.ok()) << read.status().ToString();
  const Box& box = read->blocks[1].box;
  EXPECT_TRUE(std::isfinite(box.right()) && std::isfinite(box.bottom()));
  page.width_pt = kHuge;
  ASSERT_TRUE(ParseReply(Frame(page), reply).ok());
  EXPECT_EQ(PageFromWire(reply).status().code(), base::StatusCode::kDataLoss);
}

TEST(DecodeWireTest, TimesAreSuchThatTheirDifferencesFit) {
  constexpr std::int64_t kHuge = std::numeric_limits<std::int64_t>::max();
  DecodedText text;
  text.start_ms = -kHuge;
  text.end_ms = kHuge;
  v1::DecodeReply reply;
  ToWire(text, reply);
  const auto read = TextFromWire(reply);
  ASSERT_TRUE(read.ok());
  EXPECT_EQ(read->start_ms, -1);
  EXPECT_LT(read->end_ms, kHuge / 2);
  DecodedFrame frame;
  frame.pts_ms = kHuge;
  ToWire(frame, reply);
  EXPECT_EQ(FrameFromWire(reply).status().code(), base::StatusCode::kDataLoss);
  DecodedAudio audio;
  audio.start_ms = kHuge;
  ToWire(audio, reply);
  EXPECT_EQ(AudioFromWire(reply).status().code(), base::StatusCode::kDataLoss);
}

TEST(DecodeWireTest, SamplesAreClampedAndNaNIsSilence) {
  v1::DecodeReply reply;
  ToWire(DecodedAudio{250, {0.5F, 7.0F, -3.0F, std::nanf("")}}, reply);
  const auto audio = AudioFromWire(reply);
  ASSERT_TRUE(audio.ok());
  EXPECT_EQ(audio->start_ms, 250);
  EXPECT_EQ(audio->samples, (std::vector<float>{0.5F, 1.0F, -1.0F, 0.0F}));
}

TEST(DecodeWireTest, EndCarriesTheStatus) {
  v1::DecodeReply reply;
  ToWireEnd(base::InvalidArgument("the PDF needs a password"), reply);
  EXPECT_EQ(EndFromWire(reply), base::InvalidArgument("the PDF needs a password"));
  ToWireEnd(base::OkStatus(), reply);
  EXPECT_TRUE(EndFromWire(reply).ok());
  reply.mutable_end()->set_code(99);
  EXPECT_EQ(EndFromWire(reply).code(), base::StatusCode::kDataLoss);
}

}  // namespace
}  // namespace sightline::media
