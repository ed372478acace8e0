// A store killed before each of its system calls.
#include <gtest/gtest.h>

#include <cctype>
#include <iostream>
#include <map>
#include <string>

#include "crash/life_test.h"
#include "index/segment_reader.h"

namespace sightline::crash {
namespace {

/// How often each system call is made in a life without faults.
std::map<std::string, int> CountCalls() {
  const LifeFolder folder;
  const TracedRun run = Live(folder, {}, "all");
  EXPECT_EQ(run.status, 0) << testing::PrintToString(run.journal);
  std::map<std::string, int> counts;
  for (const std::string& line : run.calls) {
    // "1234 openat(AT_FDCWD, …": the process, then the call.
    const std::size_t begin = line.find_first_not_of("0123456789 ");
    const std::size_t end = line.find('(');
    if (end == std::string::npos || std::isalpha(line[begin]) == 0) continue;
    ++counts[line.substr(begin, end - begin)];
  }
  // The program is not there yet, and then it is not there any more.
  counts.erase("execve");
  counts.erase("exit_group");
  return counts;
}

TEST(LifeCrashTest, WithoutFaultsEverySegmentGetsItsCodes) {
  if (!TracingIsPermitted()) GTEST_SKIP() << "SKIP: this machine permits no ptrace";

  const LifeFolder folder;
  const TracedRun run = Live(folder, {}, "fsync");
  ASSERT_EQ(run.status, 0) << testing::PrintToString(run.journal);
  ASSERT_EQ(run.journal.size(), kLife.size() + 1);
  {
    auto store = store::OpenLocalStore(folder.options());
    ASSERT_TRUE(store.ok());
    const auto files = *store->catalog->LiveSegmentFiles();
    ASSERT_EQ(files.size(), 1U);
    const auto reader = index::SegmentReader::Open(io::PosixFileSystem(),
                                                   io::JoinPath(folder.data_dir(), files.front()));
    ASSERT_TRUE(reader.ok());
    ASSERT_TRUE((*reader)->code_trailer().has_value());
    EXPECT_EQ((*reader)->code_trailer()->trained_vectors, 480U) << "of the first compaction";
    EXPECT_EQ((*reader)->vector_count(), 1'400U) << "written by the second one";
  }
  ExpectSound(folder.options(), run.journal);
}

TEST(LifeCrashTest, KilledBeforeEachSystemCallItReopensToTheOldOrTheNewState) {
  if (!TracingIsPermitted()) GTEST_SKIP() << "SKIP: this machine permits no ptrace";

  int kills = 0;
  for (const auto& [name, count] : CountCalls()) {
    for (int at = 1; at <= count; ++at) {
      SCOPED_TRACE(name + " " + std::to_string(at));
      const LifeFolder folder;
      const TracedRun run = Live(folder, {name, at, "signal=KILL"}, name);
      // Memory may be asked for once less or once more: addresses differ.
      if (!run.killed) {
        ASSERT_EQ(run.status, 0) << testing::PrintToString(run.journal);
        break;
      }
      ++kills;
      ExpectSound(folder.options(), run.journal);
      if (HasFatalFailure()) return;
    }
  }
  std::cout << "killed at " << kills << " system calls\n";
  EXPECT_GT(kills, 1'000);
}

}  // namespace
}  // namespace sightline::crash
