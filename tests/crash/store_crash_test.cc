// The data folder after its process was killed again and again, at any moment, on the disk.
#include <gtest/gtest.h>
#include <signal.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <random>
#include <string>
#include <vector>

#include "crash/store_scenario.h"
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

}  // namespace
}  // namespace sightline::crash
