#include "media/sandboxed_decoder.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <chrono>
#include <filesystem>
#include <fstream>
#include <string>
#include <vector>

namespace sightline::media {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::StartsWith;

class RecordingSink final : public DecodeSink {
 public:
  base::Status OnInfo(DocumentInfo /*info*/) override { return base::OkStatus(); }
  base::Status OnPage(DecodedPage page) override {
    pages.push_back(page.page_number);
    return page_status;
  }
  base::Status OnFrame(DecodedFrame /*frame*/) override { return base::OkStatus(); }
  base::Status OnAudio(DecodedAudio /*audio*/) override { return base::OkStatus(); }
  base::Status OnText(DecodedText /*text*/) override { return base::OkStatus(); }
  base::Status OnWarning(std::string message) override {
    warnings.push_back(std::move(message));
    return base::OkStatus();
  }

  std::vector<int> pages;
  std::vector<std::string> warnings;
  base::Status page_status;
};

/// A decoder whose child misbehaves as the input file says.
class SandboxedDecoderTest : public testing::Test {
 protected:
  base::Status Decode(const std::string& word, const base::CancelToken& cancel = {}) {
    const std::string path = testing::TempDir() + "sandboxed_decoder_" + word;
    std::ofstream(path) << word;
    DecodeRequest request;
    request.path = path;
    request.limits.max_memory_bytes = 512 << 20;
    return decoder_->Decode(request, sink_, cancel);
  }

  RecordingSink sink_;
  std::unique_ptr<Decoder> decoder_ =
      MakeSandboxedDecoder({.executable = SIGHTLINE_DECODE_TEST_CHILD});
};

TEST_F(SandboxedDecoderTest, TheReasonOfTheChildIsTheReason) {
  EXPECT_EQ(Decode("refuse"), base::InvalidArgument("the PDF needs a password"));
}

TEST_F(SandboxedDecoderTest, BytesThatAreNoMessageAreDataLoss) {
  EXPECT_EQ(Decode("garbage").code(), base::StatusCode::kDataLoss);
}

TEST_F(SandboxedDecoderTest, ATornFrameIsDataLoss) {
  EXPECT_EQ(Decode("torn").code(), base::StatusCode::kDataLoss);
}

TEST_F(SandboxedDecoderTest, AFrameThatIsTooLongIsRefusedBeforeItIsRead) {
  const base::Status status = Decode("oversize");
  EXPECT_EQ(status.code(), base::StatusCode::kDataLoss);
  EXPECT_THAT(status.message(), HasSubstr("too long"));
}

TEST_F(SandboxedDecoderTest, EndingWithoutAWordIsDataLoss) {
  EXPECT_EQ(Decode("silence").code(), base::StatusCode::kDataLoss);
}

TEST_F(SandboxedDecoderTest, APageThatKillsTheChildIsLeftOutAndTheRestGoesOn) {
  EXPECT_TRUE(Decode("crash").ok());
  EXPECT_THAT(sink_.pages, ElementsAre(1, 3));
  EXPECT_THAT(sink_.warnings, ElementsAre(StartsWith("page 2 was left out")));
}

TEST_F(SandboxedDecoderTest, ADocumentOfWhichNoPageSurvivesFails) {
  EXPECT_EQ(Decode("crash-all").code(), base::StatusCode::kDataLoss);
  EXPECT_THAT(sink_.pages, IsEmpty());
}

TEST_F(SandboxedDecoderTest, TooMuchMemoryIsAReason) {
#if defined(__SANITIZE_ADDRESS__)
  GTEST_SKIP() << "SKIP: the sandbox sets no memory limit under a sanitizer";
#else
  EXPECT_EQ(Decode("memory").code(), base::StatusCode::kResourceExhausted);
#endif
}

TEST_F(SandboxedDecoderTest, ADeadlineEndsAChildThatHangs) {
  const auto cancel = base::CancelToken::After(std::chrono::milliseconds(200));
  EXPECT_EQ(Decode("hang", cancel).code(), base::StatusCode::kDeadlineExceeded);
}

TEST_F(SandboxedDecoderTest, ASinkThatFailsEndsTheDecoding) {
  sink_.page_status = base::IoError("no room");
  EXPECT_EQ(Decode("crash"), base::IoError("no room"));
  EXPECT_THAT(sink_.pages, ElementsAre(1));
}

TEST_F(SandboxedDecoderTest, AMissingFileIsNotFound) {
  DecodeRequest request;
  request.path = testing::TempDir() + "there_is_no_such_file";
  EXPECT_EQ(decoder_->Decode(request, sink_, {}).code(), base::StatusCode::kNotFound);
}

TEST_F(SandboxedDecoderTest, APageThatCannotBeDrawnIsAReason) {
  const std::string path = testing::TempDir() + "sandboxed_decoder_page";
  const auto draw = [&](const char* word, int page) {
    std::ofstream(path) << word;
    return decoder_
        ->DrawPage({.path = path, .page_number = page, .width_px = 800, .limits = {}}, {})
        .status()
        .code();
  };
  EXPECT_EQ(draw("refuse", 1), base::StatusCode::kInvalidArgument);
  EXPECT_EQ(draw("refuse", 0), base::StatusCode::kNotFound);
  EXPECT_EQ(draw("silence", 1), base::StatusCode::kDataLoss);
  EXPECT_EQ(draw("crash-all", 1), base::StatusCode::kDataLoss);
  EXPECT_EQ(draw("crash", 1), base::StatusCode::kDataLoss) << "a document where a page is wanted";
}

TEST_F(SandboxedDecoderTest, APictureThatIsRefusedIsAReason) {
  const std::string path = testing::TempDir() + "sandboxed_decoder_picture";
  std::ofstream(path) << "refuse";
  EXPECT_EQ(decoder_->DecodePicture(path, 100, {}).status().code(),
            base::StatusCode::kInvalidArgument);
  EXPECT_EQ(decoder_->DecodePicture(path, 0, {}).status().code(),
            base::StatusCode::kInvalidArgument);
}

}  // namespace
}  // namespace sightline::media
