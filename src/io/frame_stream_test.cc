#include "io/frame_stream.h"

#include <gtest/gtest.h>
#include <unistd.h>

#include <array>
#include <string_view>

namespace sightline::io {
namespace {

class FrameStreamTest : public testing::Test {
 protected:
  FrameStreamTest() { EXPECT_EQ(pipe(fds_.data()), 0); }
  ~FrameStreamTest() override {
    close(fds_[0]);
    CloseWriter();
  }
  void CloseWriter() {
    if (fds_[1] >= 0) close(fds_[1]);
    fds_[1] = -1;
  }
  void WriteRaw(std::string_view bytes) {
    EXPECT_EQ(write(fds_[1], bytes.data(), bytes.size()), static_cast<ssize_t>(bytes.size()));
  }
  FrameStream Stream(uint32_t max_frame_bytes = 100) { return {fds_[0], fds_[1], max_frame_bytes}; }

  std::array<int, 2> fds_{};
};

TEST_F(FrameStreamTest, FramesArriveWholeAndThenTheStreamEnds) {
  FrameStream stream = Stream();
  ASSERT_TRUE(stream.Write(std::string("视线")).ok());
  ASSERT_TRUE(stream.Write({}).ok());
  CloseWriter();
  EXPECT_EQ(**stream.Read(), "视线");
  EXPECT_EQ(**stream.Read(), "");
  EXPECT_FALSE(stream.Read()->has_value());
}

TEST_F(FrameStreamTest, AFrameOverTheBoundIsRefusedOnBothSides) {
  FrameStream stream = Stream();
  EXPECT_TRUE(stream.Write(std::string(100, 'x')).ok());
  EXPECT_EQ(stream.Write(std::string(101, 'x')).code(), base::StatusCode::kResourceExhausted);
  EXPECT_EQ((*stream.Read())->size(), 100U);
  WriteRaw(std::string_view("\xFF\xFF\xFF\xFF", 4));
  EXPECT_EQ(stream.Read().status().code(), base::StatusCode::kResourceExhausted);
}

TEST_F(FrameStreamTest, TornFramesAreDataLoss) {
  WriteRaw(std::string_view("\x05\x00\x00\x00", 4));
  WriteRaw("abc");
  CloseWriter();
  FrameStream stream = Stream();
  EXPECT_EQ(stream.Read().status().code(), base::StatusCode::kDataLoss);
}

TEST_F(FrameStreamTest, ATornHeaderIsDataLoss) {
  WriteRaw(std::string_view("\x05\x00", 2));
  CloseWriter();
  FrameStream stream = Stream();
  EXPECT_EQ(stream.Read().status().code(), base::StatusCode::kDataLoss);
}

}  // namespace
}  // namespace sightline::io
