#include "media/decoder/reply_writer.h"

#include <gtest/gtest.h>
#include <unistd.h>

#include <atomic>
#include <string>
#include <string_view>
#include <vector>

#include "media/decode_wire.h"
#include "sightline/v1/decode.pb.h"

namespace sightline::media {
namespace {

TEST(ReplyWriterTest, MessagesComeInOrder) {
  std::vector<std::string> frames;
  ReplyWriter writer([&](std::string_view frame) {
    frames.emplace_back(frame);
    return base::OkStatus();
  });
  writer.BeginStep(3, "page 3", 20);
  EXPECT_TRUE(writer.OnWarning("残缺").ok());
  EXPECT_TRUE(writer.End(base::DataLoss("why")).ok());
  ASSERT_EQ(frames.size(), 3U);
  v1::DecodeReply reply;
  ASSERT_TRUE(ParseReply(frames[0], reply).ok());
  EXPECT_EQ(reply.step().page_number(), 3);
  ASSERT_TRUE(ParseReply(frames[1], reply).ok());
  EXPECT_EQ(WarningFromWire(reply), "残缺");
  ASSERT_TRUE(ParseReply(frames[2], reply).ok());
  EXPECT_EQ(EndFromWire(reply), base::DataLoss("why"));
}

TEST(ReplyWriterTest, AFailedWriteIsToldToTheDecoder) {
  ReplyWriter writer([](std::string_view) { return base::IoError("broken pipe"); });
  EXPECT_EQ(writer.OnText({}), base::IoError("broken pipe"));
}

/// Burns CPU in a step that may use one second; the watchdog has to say so and end the process.
[[noreturn]] void RunAway() {
  ReplyWriter writer([](std::string_view frame) {
    v1::DecodeReply reply;
    const bool stopped = ParseReply(frame, reply).ok() && reply.end().step_stopped() &&
                         EndFromWire(reply).message() == "page 7 needs more than 1 s of CPU time";
    if (stopped && write(STDERR_FILENO, "told", 4) != 4) _exit(7);
    return base::OkStatus();
  });
  writer.BeginStep(7, "page 7", 1);
  for (std::atomic<unsigned long> turns = 0;; ++turns) {
  }
}

TEST(ReplyWriterDeathTest, AStepThatRunsAwayEndsTheProcessWithAReason) {
  testing::FLAGS_gtest_death_test_style = "threadsafe";
  EXPECT_EXIT(RunAway(), testing::ExitedWithCode(0), "told");
}

}  // namespace
}  // namespace sightline::media
