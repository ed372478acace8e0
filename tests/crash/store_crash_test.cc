// The data folder after a process was killed, after a power cut and after each failed operation.
#include <gtest/gtest.h>
#include <signal.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <random>
#include <string>
#include <vector>

#include "crash/store_scenario.h"
#include "io/fault_injecting_file_system.h"
#include "io/memory_file_system.h"
#include "store/contract/temporary_folder.h"

namespace sightline::crash {
namespace {

using store::LocalStoreOptions;
using store::TemporaryFolder;

constexpr int kKills = 12;

void ExpectSound(const LocalStoreOptions& options, const std::vector<std::string>& journal) {
  auto store = store::OpenLocalStore(options);
  ASSERT_TRUE(store.ok()) << store.status().ToString();
  const auto findings = CheckStore(options, *store, journal);
  ASSERT_TRUE(findings.ok()) << findings.status().ToString();
  EXPECT_EQ(*findings, std::vector<std::string>());
}

/// Starts the child; lines of its journal come from `output`.
pid_t StartChild(const std::string& folder, int first, int& output) {
  std::array<int, 2> ends{};
  EXPECT_EQ(pipe(ends.data()), 0);
  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  posix_spawn_file_actions_adddup2(&actions, ends[1], STDOUT_FILENO);
  posix_spawn_file_actions_addclose(&actions, ends[0]);
  std::string program = SIGHTLINE_CRASH_CHILD;
  std::string number = std::to_string(first);
  std::string data = folder;
  std::array<char*, 4> arguments = {program.data(), data.data(), number.data(), nullptr};
  pid_t child = 0;
  EXPECT_EQ(posix_spawn(&child, program.c_str(), &actions, nullptr, arguments.data(), environ), 0);
  posix_spawn_file_actions_destroy(&actions);
  close(ends[1]);
  output = ends[0];
  return child;
}

/// Reads until `lines` lines came, then kills after `pause_us` more; returns all complete lines.
std::vector<std::string> KillAfter(pid_t child, int output, std::size_t lines, int pause_us) {
  std::vector<std::string> journal;
  std::string open;
  bool killed = false;
  std::array<char, 256> buffer{};
  while (true) {
    if (!killed && journal.size() >= lines) {
      // Not a wait for something: it moves the kill into the middle of the next step.
      usleep(static_cast<useconds_t>(pause_us));
      kill(child, SIGKILL);
      killed = true;
    }
    const ssize_t got = read(output, buffer.data(), buffer.size());
    if (got <= 0) break;
    open.append(buffer.data(), static_cast<std::size_t>(got));
    for (std::size_t end = open.find('\n'); end != std::string::npos; end = open.find('\n')) {
      journal.push_back(open.substr(0, end));
      open.erase(0, end + 1);
    }
  }
  close(output);
  int status = 0;
  waitpid(child, &status, 0);
  EXPECT_TRUE(WIFSIGNALED(status)) << "the child ended by itself: " << status;
  return journal;
}

TEST(StoreCrashTest, KilledAtAnyMomentItReopensToTheOldOrTheNewState) {
  TemporaryFolder folder;
  const LocalStoreOptions options{.data_dir = folder.File("data")};
  std::mt19937 random(20260101);
  std::vector<std::string> journal;
  for (int kill = 0; kill < kKills; ++kill) {
    SCOPED_TRACE(kill);
    int output = -1;
    const pid_t child = StartChild(options.data_dir, kill * 100, output);
    const std::size_t lines = 1 + random() % 12;
    const auto more = KillAfter(child, output, lines, static_cast<int>(random() % 30'000));
    journal.insert(journal.end(), more.begin(), more.end());
    ExpectSound(options, journal);
    if (HasFatalFailure()) return;
  }
}

/// Runs the scenario on files in memory with the catalog on disk; returns whether it got through.
bool RunInMemory(const LocalStoreOptions& options, std::vector<std::string>& journal) {
  auto store = store::OpenLocalStore(options);
  if (!store.ok()) return false;
  return RunScenario(*store, 0, 4, [&](const std::string& line) { journal.push_back(line); }).ok();
}

class StoreFaultTest : public testing::Test {
 protected:
  /// Tries the scenario with a fault at every `step`-th operation.
  void TryEach(std::uint64_t step,
               const std::function<void(io::FaultInjectingFileSystem&, std::uint64_t)>& plan) {
    const std::uint64_t operations = CountOperations();
    ASSERT_GT(operations, 50U);
    for (std::uint64_t n = 0; n < operations; n += step) {
      SCOPED_TRACE(n);
      TemporaryFolder folder;
      io::MemoryFileSystem memory;
      io::FaultInjectingFileSystem files(memory);
      LocalStoreOptions options{.data_dir = "/data", .catalog_path = folder.File("c.sqlite")};
      options.files = &files;
      plan(files, n);
      std::vector<std::string> journal;
      RunInMemory(options, journal);
      files.Crash();
      ExpectSound(options, journal);
      if (HasFatalFailure()) return;
    }
  }

  static std::uint64_t CountOperations() {
    TemporaryFolder folder;
    io::MemoryFileSystem memory;
    io::FaultInjectingFileSystem files(memory);
    LocalStoreOptions options{.data_dir = "/data", .catalog_path = folder.File("c.sqlite")};
    options.files = &files;
    std::vector<std::string> journal;
    EXPECT_TRUE(RunInMemory(options, journal));
    return files.operation_count();
  }
};

TEST_F(StoreFaultTest, PowerCutAtAnyOperationLosesNothingThatWasReported) {
  TryEach(3, [](io::FaultInjectingFileSystem& files, std::uint64_t n) { files.CrashAt(n); });
}

TEST_F(StoreFaultTest, FailedOperationLeavesTheOldOrTheNewState) {
  TryEach(
      5, [](io::FaultInjectingFileSystem& files, std::uint64_t n) { files.FailOperation(n, EIO); });
}

TEST_F(StoreFaultTest, FullDiskLeavesTheOldState) {
  for (const std::uint64_t space : {0U, 10U, 300U, 1'000U, 1'500U}) {
    SCOPED_TRACE(space);
    TemporaryFolder folder;
    io::MemoryFileSystem memory;
    io::FaultInjectingFileSystem files(memory);
    LocalStoreOptions options{.data_dir = "/data", .catalog_path = folder.File("c.sqlite")};
    options.files = &files;
    std::vector<std::string> journal;
    files.SetSpaceLeft(space);
    EXPECT_FALSE(RunInMemory(options, journal));
    files.Crash();
    ExpectSound(options, journal);
  }
}

}  // namespace
}  // namespace sightline::crash
