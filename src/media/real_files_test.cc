// Real files through the real sightline-decode: hostile ones must end with a reason and within
// their limits, odd videos must come out with the right size and times. Reads the data sets at
// $SIGHTLINE_DATA_SETS or ../shared/data; SKIP where they are absent.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cstdlib>
#include <filesystem>
#include <string>
#include <thread>
#include <vector>

#include "media/sandboxed_decoder.h"

namespace sightline::media {
namespace {

namespace fs = std::filesystem;

fs::path DataSets() {
  // Set before any thread is started; nothing here changes the environment.
  const char* set = std::getenv("SIGHTLINE_DATA_SETS");  // NOLINT(concurrency-mt-unsafe)
  return set != nullptr ? fs::path(set) : fs::path("../shared/data");
}

struct Tally final : public DecodeSink {
  base::Status OnInfo(DocumentInfo got) override {
    info = std::move(got);
    return base::OkStatus();
  }
  base::Status OnPage(DecodedPage page) override {
    ++pages;
    consistent = consistent && page.page_number >= last_page && !page.render.IsEmpty() &&
                 !page.preview.IsEmpty();
    last_page = page.page_number;
    return base::OkStatus();
  }
  base::Status OnFrame(DecodedFrame frame) override {
    consistent = consistent && !frame.image.IsEmpty() && !frame.preview.IsEmpty() &&
                 (frames.empty() ? frame.pts_ms == 0 : frame.pts_ms > frames.back());
    frames.push_back(frame.pts_ms);
    return base::OkStatus();
  }
  base::Status OnAudio(DecodedAudio audio) override {
    consistent = consistent && audio.start_ms >= audio_ms - 1 && audio.samples.size() <= 480'000;
    audio_ms = audio.start_ms + static_cast<std::int64_t>(audio.samples.size()) / 16;
    return base::OkStatus();
  }
  base::Status OnText(DecodedText text) override {
    consistent = consistent && !text.text.empty();
    ++texts;
    return base::OkStatus();
  }
  base::Status OnWarning(std::string message) override {
    warnings.push_back(std::move(message));
    return base::OkStatus();
  }
  bool HasContent() const { return pages + texts > 0 || !frames.empty() || audio_ms > 0; }

  DocumentInfo info;
  int pages = 0;
  int last_page = 0;
  int texts = 0;
  std::vector<std::int64_t> frames;
  std::int64_t audio_ms = 0;
  std::vector<std::string> warnings;
  bool consistent = true;
};

base::Status Decode(const fs::path& path, Tally& tally) {
  const auto decoder = MakeSandboxedDecoder({.executable = SIGHTLINE_DECODE});
  DecodeRequest request;
  request.path = path.string();
  request.file_name = path.filename().string();
  return decoder->Decode(request, tally, {});
}

/// What is wrong with how the file ended; empty when nothing is.
std::string Judge(const fs::path& path) {
  using base::StatusCode;
  Tally tally;
  const auto start = std::chrono::steady_clock::now();
  const base::Status status = Decode(path, tally);
  const auto elapsed = std::chrono::steady_clock::now() - start;
  if (elapsed > std::chrono::seconds(60)) return "took more than 60 s";
  if (!tally.consistent) return "its pages, frames or sounds contradict each other";
  if (status.ok()) return tally.HasContent() ? "" : "ended well without any content";
  const bool reason = status.code() == StatusCode::kInvalidArgument ||
                      status.code() == StatusCode::kDataLoss ||
                      status.code() == StatusCode::kResourceExhausted ||
                      status.code() == StatusCode::kDeadlineExceeded;
  if (!reason || status.message().size() < 10) return "no reason: " + status.ToString();
  return "";
}

/// Judges every file of a folder, two at a time.
void JudgeFolder(const fs::path& folder) {
  if (!fs::is_directory(folder)) GTEST_SKIP() << "SKIP: no data set at " << folder;
  std::vector<fs::path> files;
  for (const auto& entry : fs::directory_iterator(folder)) files.push_back(entry.path());
  std::sort(files.begin(), files.end());
  ASSERT_FALSE(files.empty());
  std::vector<std::string> faults(files.size());
  std::atomic<std::size_t> next = 0;
  const auto work = [&] {
    for (std::size_t i = next++; i < files.size(); i = next++) faults[i] = Judge(files[i]);
  };
  std::thread other(work);
  work();
  other.join();
  for (std::size_t i = 0; i < files.size(); ++i) EXPECT_EQ(faults[i], "") << files[i];
}

class AllFilesTest : public testing::TestWithParam<const char*> {};

TEST_P(AllFilesTest, EveryFileEndsWellOrWithAReason) { JudgeFolder(DataSets() / GetParam()); }

INSTANTIATE_TEST_SUITE_P(Folders, AllFilesTest,
                         testing::Values("robust/pdf", "robust/img", "robust/office", "videos",
                                         "docs/scanned"));

class RealVideosTest : public testing::Test {
 protected:
  void SetUp() override {
    if (!fs::is_directory(DataSets() / "videos")) {
      GTEST_SKIP() << "SKIP: no data set at " << DataSets() / "videos";
    }
  }
  base::Status DecodeVideo(const char* name) {
    tally_ = Tally();
    const base::Status status = Decode(DataSets() / "videos" / name, tally_);
    EXPECT_TRUE(tally_.consistent) << name;
    return status;
  }
  Tally tally_;
};

TEST_F(RealVideosTest, RotationAndPixelShapeAreApplied) {
  ASSERT_TRUE(DecodeVideo("rotate-buck-bunny.mp4").ok());
  EXPECT_EQ(tally_.info.width, 1080);
  EXPECT_EQ(tally_.info.height, 1920);
  ASSERT_TRUE(DecodeVideo("sar_2x1.mp4").ok());
  EXPECT_EQ(tally_.info.width, 1280);
  EXPECT_EQ(tally_.info.height, 360);
}

TEST_F(RealVideosTest, TimeBeginsWithTheFirstPicture) {
  for (const char* name : {"delayed_start.mp4", "edts.mp4", "cursed-vfr.mp4", "no_duration.webm"}) {
    ASSERT_TRUE(DecodeVideo(name).ok()) << name;
    ASSERT_FALSE(tally_.frames.empty()) << name;
    EXPECT_EQ(tally_.frames.front(), 0) << name;
  }
}

TEST_F(RealVideosTest, OddFilesEndAsTheyShould) {
  EXPECT_EQ(DecodeVideo("result.webm"), base::InvalidArgument("the file is empty"));
  ASSERT_TRUE(DecodeVideo("bitmap.mp4").ok());
  EXPECT_EQ(tally_.info.width, 1);
  ASSERT_TRUE(DecodeVideo("annex-b.mp4").ok());
  EXPECT_THAT(tally_.warnings, testing::Contains(testing::StartsWith("the file ends early")));
  ASSERT_TRUE(DecodeVideo("ac3.mkv").ok());
  EXPECT_EQ(tally_.info.kind, DocumentKind::kAudio);
  EXPECT_NEAR(static_cast<double>(tally_.audio_ms), 2'000, 100);
}

TEST_F(RealVideosTest, AStaticCameraGivesFewFrames) {
  // Two minutes of a room through which one person walks now and then.
  ASSERT_TRUE(DecodeVideo("one-by-one-person-detection.mp4").ok());
  EXPECT_GE(tally_.frames.size(), 10U);
  EXPECT_LE(tally_.frames.size(), 120U);
}

}  // namespace
}  // namespace sightline::media
