// The line that a terminal shows while documents are read.
#include "cmd/progress.h"

#include <gtest/gtest.h>
#include <pty.h>
#include <unistd.h>

#include <array>
#include <memory>
#include <vector>

namespace sightline::cmd {
namespace {

using std::chrono::milliseconds;
using std::chrono::seconds;

/// What is drawn on a terminal of 80 columns that stands for standard error meanwhile.
class ProgressTest : public ::testing::Test {
 protected:
  ProgressTest() : kept_(dup(STDERR_FILENO)) {
    winsize size{};
    size.ws_row = 24;
    size.ws_col = 80;
    int end = -1;
    EXPECT_EQ(openpty(&screen_, &end, nullptr, nullptr, &size), 0);
    dup2(end, STDERR_FILENO);
    close(end);
    console_ = std::make_unique<Console>(ConsoleOptions{});
    progress_ = std::make_unique<Progress>(*console_, clock_);
  }
  ~ProgressTest() override {
    progress_.reset();
    dup2(kept_, STDERR_FILENO);
    close(kept_);
    close(screen_);
  }

  /// The lines drawn since the last call, one for each time that the line was erased.
  std::vector<std::string> Drawn() {
    // A mark: reading a terminal has no other end.
    EXPECT_EQ(write(STDERR_FILENO, "$", 1), 1);
    std::string text;
    while (!text.ends_with("$")) {
      std::array<char, 4096> buffer{};
      const ssize_t size = read(screen_, buffer.data(), buffer.size());
      if (size <= 0) break;
      text.append(buffer.data(), static_cast<size_t>(size));
    }
    text.pop_back();
    constexpr std::string_view kErase = "\r\x1b[2K";
    std::vector<std::string> lines;
    size_t at = 0;
    while ((at = text.find(kErase, at)) != std::string::npos) {
      at += kErase.size();
      lines.push_back(text.substr(at, text.find(kErase, at) - at));
    }
    return lines;
  }

  static store::Document Working(std::int64_t done) {
    store::Document document;
    document.id = "01J00000000000000000000001";
    document.file_name = "手册.pdf";
    document.state = store::DocumentState::kProcessing;
    document.progress_done = done;
    document.progress_total = 40;
    return document;
  }

  base::FakeClock clock_;
  std::unique_ptr<Console> console_;
  std::unique_ptr<Progress> progress_;

 private:
  const int kept_;
  int screen_ = -1;
};

using Lines = std::vector<std::string>;

TEST_F(ProgressTest, TheBarFillsUpAndSaysWhatIsLeft) {
  progress_->SetTotal(3);
  progress_->Done();
  progress_->Update(Working(0));
  EXPECT_EQ(Drawn(), Lines{"2 of 3  [--------------------] 手册.pdf 0 of 40"});
  clock_.Advance(seconds(10));
  progress_->Update(Working(10));
  EXPECT_EQ(Drawn(), Lines{"2 of 3  [#####---------------] 手册.pdf 10 of 40, 0:30 left"});
  clock_.Advance(seconds(30));
  progress_->Update(Working(40));
  EXPECT_EQ(Drawn(), Lines{"2 of 3  [####################] 手册.pdf 40 of 40, 0:00 left"});
  progress_->Clear();
  EXPECT_EQ(Drawn(), Lines{""}) << "the line is taken away";
}

TEST_F(ProgressTest, ItIsNotDrawnMoreOftenThanEyesCanFollow) {
  progress_->Update(Working(1));
  for (int i = 0; i < 9; ++i) {
    clock_.Advance(milliseconds(10));
    progress_->Update(Working(2));
  }
  EXPECT_EQ(Drawn().size(), 1U);
  clock_.Advance(milliseconds(10));
  progress_->Update(Working(3));
  EXPECT_EQ(Drawn().size(), 1U);
}

TEST_F(ProgressTest, ALongNameStaysOnOneLine) {
  store::Document document = Working(20);
  document.file_name = std::string(300, 'x') + ".pdf";
  progress_->Update(document);
  const Lines lines = Drawn();
  ASSERT_EQ(lines.size(), 1U);
  EXPECT_TRUE(lines[0].starts_with("[##########----------] xxx")) << lines[0];
  EXPECT_LT(lines[0].size(), 82U) << lines[0];
}

TEST_F(ProgressTest, WhatIsNotWorkedOnIsNotDrawn) {
  store::Document document = Working(0);
  document.state = store::DocumentState::kQueued;
  progress_->Update(document);
  EXPECT_EQ(Drawn(), Lines{});
}

}  // namespace
}  // namespace sightline::cmd
