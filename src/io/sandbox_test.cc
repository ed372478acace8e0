#include "io/sandbox.h"

#include <fcntl.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <atomic>
#include <filesystem>
#include <fstream>
#include <thread>

#include "io/sanitizer.h"

namespace sightline::io {
namespace {

using base::StatusCode;
using testing::HasSubstr;
using testing::Not;

SandboxOptions Options(const std::string& act) {
  SandboxOptions options;
  options.executable = SIGHTLINE_SANDBOX_TEST_CHILD;
  options.arguments = {act};
  options.limits.max_frame_bytes = 1 << 20;
  options.limits.wait_ms = 60'000;
  return options;
}

// The first frame of a child that does `act`, or why there was none.
base::Result<std::optional<std::string>> FirstFrame(SandboxOptions options) {
  auto child = SandboxedProcess::Start(std::move(options));
  if (!child.ok()) return child.status();
  return (*child)->ReadFrame();
}

// How a child ends that sends nothing.
base::Status EndOf(SandboxOptions options) {
  auto frame = FirstFrame(std::move(options));
  if (frame.ok() && frame->has_value()) return base::InvalidArgument("it sent: " + **frame);
  return frame.status();
}

TEST(SandboxTest, FramesGoThereAndBackUntilTheInputIsClosed) {
  auto child = SandboxedProcess::Start(Options("echo"));
  ASSERT_TRUE(child.ok()) << child.status().ToString();
  for (const std::string& text : {std::string("视线"), std::string("page"), std::string()}) {
    ASSERT_TRUE((*child)->WriteFrame(text).ok());
    EXPECT_EQ(**(*child)->ReadFrame(), text);
  }
  const std::string large(1 << 20, 'x');
  ASSERT_TRUE((*child)->WriteFrame(large).ok());
  EXPECT_EQ((*(*child)->ReadFrame())->size(), large.size());
  EXPECT_EQ((*child)->WriteFrame(large + "x").code(), StatusCode::kResourceExhausted);
  (*child)->CloseInput();
  auto end = (*child)->ReadFrame();
  ASSERT_TRUE(end.ok()) << end.status().ToString();
  EXPECT_FALSE(end->has_value());
  EXPECT_TRUE((*child)->Wait().ok());
}

TEST(SandboxTest, TheInputIsReadOnly) {
  SandboxOptions options = Options("input");
  options.input_path = testing::TempDir() + "sandbox input 输入.txt";
  std::ofstream(options.input_path) << "未信任 bytes";
  EXPECT_EQ(**FirstFrame(options), "未信任 bytes (read-only)");
}

TEST(SandboxTest, ItSaysWhatIsInForce) {
  auto frame = FirstFrame(Options("state"));
  ASSERT_TRUE(frame.ok()) << frame.status().ToString();
  RecordProperty("landlock_abi_and_network_namespace", **frame);
}

TEST(SandboxTest, ASocketIsForbiddenByName) {
  const base::Status status = EndOf(Options("socket"));
  EXPECT_EQ(status.code(), StatusCode::kPermissionDenied);
  EXPECT_THAT(status.message(), HasSubstr("may not make: socket"));
}

TEST(SandboxTest, ExecIsForbiddenByName) {
  EXPECT_THAT(EndOf(Options("exec")).message(), HasSubstr("may not make: execve"));
}

TEST(SandboxTest, PtraceIsForbiddenByName) {
  EXPECT_THAT(EndOf(Options("ptrace")).message(), HasSubstr("may not make: ptrace"));
}

TEST(SandboxTest, AnotherProcessIsForbidden) {
  EXPECT_THAT(EndOf(Options("fork")).message(), HasSubstr("may not make: clone"));
}

TEST(SandboxTest, SignalsToOthersAreForbidden) {
  EXPECT_THAT(EndOf(Options("kill_parent")).message(), HasSubstr("may not make: kill"));
}

TEST(SandboxTest, ExecutableMemoryIsForbidden) {
  EXPECT_THAT(EndOf(Options("executable_memory")).message(), HasSubstr("may not make: mmap"));
}

TEST(SandboxTest, OpeningForWritingIsRefused) {
  EXPECT_EQ(**FirstFrame(Options("write_file")), "Permission denied");
  EXPECT_FALSE(std::filesystem::exists("/tmp/sightline_sandbox_escape"));
}

TEST(SandboxTest, FilesOfTheMachineAreNotReadable) {
  auto state = FirstFrame(Options("state"));
  ASSERT_TRUE(state.ok());
  EXPECT_EQ(**FirstFrame(Options("open_library")), "opened");
  if ((**state)[0] == '0') GTEST_SKIP() << "the kernel has no Landlock";
  EXPECT_EQ(**FirstFrame(Options("open_password_file")), "Permission denied");
}

TEST(SandboxTest, ThreadsWork) { EXPECT_EQ(**FirstFrame(Options("thread")), "42"); }

TEST(SandboxTest, OnlyTheNamedDescriptorsAreOpen) {
  const int leaked = open("/dev/null", O_RDONLY);
  EXPECT_EQ(**FirstFrame(Options("descriptors")), "0 1 2 5 ");
  SandboxOptions options = Options("descriptors");
  options.scratch_directory = testing::TempDir();
  EXPECT_EQ(**FirstFrame(options), "0 1 2 4 5 ");
  close(leaked);
}

TEST(SandboxTest, TheEnvironmentIsClean) {
  ASSERT_EQ(setenv("SIGHTLINE_TEST_SECRET", "secret", 1), 0);
  auto frame = FirstFrame(Options("environment"));
  unsetenv("SIGHTLINE_TEST_SECRET");
  ASSERT_TRUE(frame.ok());
  EXPECT_THAT(**frame, Not(HasSubstr("secret")));
  EXPECT_THAT(**frame, HasSubstr("LC_ALL=C.UTF-8"));
}

TEST(SandboxTest, TheScratchFileIsBounded) {
  SandboxOptions options = Options("scratch_in_limit");
  options.scratch_directory = testing::TempDir();
  options.limits.scratch_bytes = 1000;
  EXPECT_EQ(**FirstFrame(options), "400");

  options.arguments = {"scratch_over_limit"};
  auto child = SandboxedProcess::Start(options);
  ASSERT_TRUE(child.ok());
  EXPECT_EQ(**(*child)->ReadFrame(), "1000");
  const base::Status status = (*child)->ReadFrame().status();
  EXPECT_EQ(status.code(), StatusCode::kResourceExhausted);
  EXPECT_THAT(status.message(), HasSubstr("scratch file grew over 1000 B"));
}

TEST(SandboxTest, MemoryOverTheLimitIsTheReason) {
  if (kSanitized) GTEST_SKIP() << "sanitizers reserve more address space than any limit";
  SandboxOptions options = Options("memory");
  options.limits.memory_bytes = uint64_t{64} << 20;
  const base::Status status = EndOf(options);
  EXPECT_EQ(status.code(), StatusCode::kResourceExhausted);
  EXPECT_THAT(status.message(), HasSubstr("needed more memory than 64.0 MiB"));
}

TEST(SandboxTest, CpuTimeOverTheLimitIsTheReason) {
  SandboxOptions options = Options("spin");
  options.limits.cpu_seconds = 1;
  const base::Status status = EndOf(options);
  EXPECT_EQ(status.code(), StatusCode::kResourceExhausted);
  EXPECT_THAT(status.message(), HasSubstr("more CPU time than 1 s"));
}

TEST(SandboxTest, AHangingChildIsKilledWhenTheWaitIsOver) {
  SandboxOptions options = Options("hang");
  options.limits.wait_ms = 100;
  EXPECT_EQ(EndOf(options).code(), StatusCode::kDeadlineExceeded);
}

TEST(SandboxTest, CancellingEndsTheWait) {
  SandboxOptions options = Options("hang");
  auto child = SandboxedProcess::Start(options);
  ASSERT_TRUE(child.ok());
  std::thread canceller([&] { options.cancel.Cancel(); });
  EXPECT_EQ((*child)->ReadFrame().status().code(), StatusCode::kCancelled);
  canceller.join();
  EXPECT_EQ((*child)->Wait().code(), StatusCode::kCancelled);
}

TEST(SandboxTest, ACrashSaysItsSignalAndAnExitItsLastWords) {
  if (!kSanitized) {
    EXPECT_THAT(EndOf(Options("abort")).message(), HasSubstr("crashed: Aborted"));
  }
  const base::Status status = EndOf(Options("exit_with_message"));
  EXPECT_EQ(status.code(), StatusCode::kDataLoss);
  EXPECT_THAT(status.message(), HasSubstr("exit code 9: 视线: 坏 page 7 \uFFFD"));
}

TEST(SandboxTest, BadFramesOfTheChildAreDataLoss) {
  EXPECT_THAT(EndOf(Options("long_frame")).message(), HasSubstr("too long: 2147483647"));
  EXPECT_EQ(EndOf(Options("torn_frame")).code(), StatusCode::kDataLoss);
}

TEST(SandboxTest, WritingToADeadChildSaysWhyItDied) {
  auto child = SandboxedProcess::Start(Options("exec"));
  ASSERT_TRUE(child.ok());
  base::Status status;
  // The first writes may still fit into the pipe.
  while (status.ok()) status = (*child)->WriteFrame(std::string(100'000, 'x'));
  EXPECT_THAT(status.message(), HasSubstr("execve"));
}

TEST(SandboxTest, AMissingProgramOrInputIsNotFound) {
  SandboxOptions options = Options("echo");
  options.executable = "/nonexistent/program";
  EXPECT_EQ(SandboxedProcess::Start(options).status().code(), StatusCode::kNotFound);
  options = Options("echo");
  options.input_path = "/nonexistent/输入.pdf";
  EXPECT_EQ(SandboxedProcess::Start(options).status().code(), StatusCode::kNotFound);
  options.input_path = "/tmp";
  EXPECT_EQ(SandboxedProcess::Start(options).status().code(), StatusCode::kInvalidArgument);
}

TEST(SandboxTest, ManyStartAtOnceFromManyThreads) {
  std::vector<std::thread> threads;
  std::atomic<int> good = 0;
  for (int t = 0; t < 4; ++t) {
    threads.emplace_back([&] {
      for (int i = 0; i < 5; ++i) {
        auto frame = FirstFrame(Options("thread"));
        if (frame.ok() && frame->has_value() && **frame == "42") ++good;
      }
    });
  }
  for (std::thread& thread : threads) thread.join();
  EXPECT_EQ(good, 20);
}

}  // namespace
}  // namespace sightline::io
