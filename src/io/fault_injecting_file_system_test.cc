#include "io/fault_injecting_file_system.h"

#include <gtest/gtest.h>

#include <cerrno>

namespace sightline::io {
namespace {

using base::StatusCode;

class FaultInjectionTest : public testing::Test {
 protected:
  void SetUp() override {
    ASSERT_TRUE(memory_.CreateDirectories("/d").ok());
    ASSERT_TRUE(memory_.SyncDirectory("/").ok());
  }
  std::string Content(const std::string& path) {
    auto content = files_.ReadFile(path, 1000);
    return content.ok() ? *content : std::string(base::StatusCodeName(content.status().code()));
  }

  MemoryFileSystem memory_;
  FaultInjectingFileSystem files_{memory_};
};

TEST_F(FaultInjectionTest, ACrashLosesUnsyncedBytes) {
  auto file = files_.OpenForWrite("/d/f", WriteMode::kCreateNew);
  ASSERT_TRUE((*file)->Append(std::string_view("synced")).ok());
  ASSERT_TRUE((*file)->Sync().ok());
  ASSERT_TRUE(files_.SyncDirectory("/d").ok());
  ASSERT_TRUE((*file)->Append(std::string_view(" lost")).ok());
  EXPECT_EQ(Content("/d/f"), "synced lost");
  files_.Crash();
  EXPECT_EQ(Content("/d/f"), "synced");
  EXPECT_EQ((*file)->Append(std::string_view("x")).code(), StatusCode::kIo);
}

TEST_F(FaultInjectionTest, ACrashLosesEntriesOfUnsyncedDirectories) {
  auto file = files_.OpenForWrite("/d/f", WriteMode::kCreateNew);
  ASSERT_TRUE((*file)->Append(std::string_view("content")).ok());
  ASSERT_TRUE((*file)->Sync().ok());
  files_.Crash();
  EXPECT_EQ(Content("/d/f"), "not_found");
}

TEST_F(FaultInjectionTest, ACrashTakesBackUnsyncedRenamesAndRemovals) {
  ASSERT_TRUE(files_.WriteFileAtomically("/d/a", "旧").ok());
  ASSERT_TRUE(files_.WriteFileAtomically("/d/b", "B").ok());
  ASSERT_TRUE(files_.Rename("/d/b", "/d/a").ok());
  EXPECT_EQ(Content("/d/a"), "B");
  files_.Crash();
  EXPECT_EQ(Content("/d/a"), "旧");
  EXPECT_EQ(Content("/d/b"), "B");
  ASSERT_TRUE(files_.RemoveFile("/d/b").ok());
  files_.Crash();
  EXPECT_EQ(Content("/d/b"), "B");
}

TEST_F(FaultInjectionTest, TheChosenOperationFailsOnceWithTheChosenError) {
  files_.FailOperation(1, EACCES);
  EXPECT_TRUE(files_.Stat("/d").ok());
  const base::Status failed = files_.Stat("/d").status();
  EXPECT_EQ(failed.message(), base::IoError("injected fault at /d", EACCES).message());
  EXPECT_TRUE(files_.Stat("/d").ok());
  EXPECT_EQ(files_.operation_count(), 3U);
}

TEST_F(FaultInjectionTest, AFullDiskTakesWhatFits) {
  files_.SetSpaceLeft(4);
  auto file = files_.OpenForWrite("/d/f", WriteMode::kCreateNew);
  EXPECT_EQ((*file)->Append(std::string_view("123456")).code(), StatusCode::kStorageFull);
  EXPECT_EQ(Content("/d/f"), "1234");
  EXPECT_EQ((*file)->Append(std::string_view("7")).code(), StatusCode::kStorageFull);
}

TEST_F(FaultInjectionTest, AtomicWritingLeavesOldOrNewAtEveryCrashAndFailure) {
  ASSERT_TRUE(files_.WriteFileAtomically("/d/f", "old").ok());
  const uint64_t before = files_.operation_count();
  ASSERT_TRUE(files_.WriteFileAtomically("/d/f", "old").ok());
  const uint64_t steps = files_.operation_count() - before;
  ASSERT_GE(steps, 6U);
  for (uint64_t n = 0; n < steps; ++n) {
    files_.CrashAt(n);
    EXPECT_FALSE(files_.WriteFileAtomically("/d/f", "new").ok()) << n;
    files_.Crash();
    EXPECT_EQ(Content("/d/f"), "old") << n;

    files_.FailOperation(n, EIO);
    EXPECT_FALSE(files_.WriteFileAtomically("/d/f", "new").ok()) << n;
    const std::string content = Content("/d/f");
    EXPECT_TRUE(content == "old" || content == "new") << n;
    // A failure that the process survives leaves no temporary file.
    EXPECT_EQ(files_.List("/d")->size(), 1U) << n;
    files_.Crash();
    ASSERT_TRUE(files_.WriteFileAtomically("/d/f", "old").ok());
  }
}

}  // namespace
}  // namespace sightline::io
