// System calls that fail under a store: a full disk, a disk that cannot write.
#include <gtest/gtest.h>

#include <algorithm>
#include <iostream>
#include <string>
#include <string_view>
#include <vector>

#include "crash/life_test.h"

namespace sightline::crash {
namespace {

constexpr const char* kTraced =
    "write,pwrite64,writev,fsync,fdatasync,rename,unlink,ftruncate,mkdir";

bool IsTold(const std::string& call) { return call.find("writev(1<") != std::string::npos; }

/// Which of the three that write for themselves a call is about; empty: it cannot be seen.
std::string_view WriterOf(std::string_view call) {
  const std::size_t begin = call.find('<');
  const std::string_view path = call.substr(0, call.find('>')).substr(std::min(begin, call.size()));
  for (const std::string_view writer : {"/data/segments", "/data/blobs", "/data/catalog.sqlite"}) {
    if (path.find(writer) != std::string_view::npos) return writer;
  }
  return {};
}

struct FailingCall {
  const char* name;
  const char* error;
};

class LifeFaultTest : public testing::TestWithParam<FailingCall> {
 protected:
  /// Lives with the fault at each call of the kind.
  void TryEach() {
    const auto& [name, error] = GetParam();
    int faults = 0;
    for (int at = 1;; ++at) {
      SCOPED_TRACE(std::string(name) + " " + std::to_string(at));
      const LifeFolder folder;
      const TracedRun run = Live(folder, {name, at, std::string("error=") + error}, kTraced);
      const auto injected = std::ranges::find_if(
          run.calls, [](const std::string& call) { return call.ends_with("(INJECTED)"); });
      if (injected == run.calls.end()) {
        ASSERT_EQ(run.status, 0) << testing::PrintToString(run.journal);
        break;
      }
      ++faults;
      if (!IsSyncedAgain(run, injected)) {
        ExpectTold(run, injected);
        ExpectNothingWrittenAfter(run, injected);
      }
      ExpectSound(folder.options(), run.journal);
      if (HasFailure()) return;
    }
    std::cout << "failed at " << faults << " calls\n";
    EXPECT_GT(faults, 0) << "the scenario makes no such call";
  }

 private:
  using Call = std::vector<std::string>::const_iterator;

  /// The step that met the fault says so. Once all steps are taken, nobody is told.
  static void ExpectTold(const TracedRun& run, Call injected) {
    const auto step = static_cast<std::size_t>(std::count_if(run.calls.begin(), injected, IsTold));
    if (step == kLife.size() + 1) return;
    ASSERT_EQ(run.status, 1) << "no step failed: " << *injected;
    ASSERT_TRUE(run.journal[step].starts_with("failed ")) << run.journal[step] << *injected;
    // Why the file that readers share with the writer cannot grow is not known to SQLite.
    const bool full = std::string_view(GetParam().error) == "ENOSPC" ||
                      injected->find("catalog.sqlite-shm>") != std::string::npos;
    EXPECT_NE(run.journal[step].find(full ? "| storage_full: " : "| io: "), std::string::npos)
        << run.journal[step] << *injected;
  }

  /// Where a disk could not write, and that was told, the writer never writes again.
  static void ExpectNothingWrittenAfter(const TracedRun& run, Call injected) {
    if (std::string_view(GetParam().error) != "EIO") return;
    const std::string_view writer = WriterOf(*injected);
    for (auto call = std::find_if(injected, run.calls.end(), IsTold); call != run.calls.end();
         ++call) {
      if (IsTold(*call) || WriterOf(*call) != writer) continue;
      FAIL() << *call << " after " << *injected;
    }
  }

  /// SQLite does not look at what syncing the folder of a new log says. The store syncs it again.
  static bool IsSyncedAgain(const TracedRun& run, Call injected) {
    const auto is_sync_of_folder = [](const std::string& call) {
      return call.find("sync(") != std::string::npos && call.find("/data>)") != std::string::npos;
    };
    return injected->find("fdatasync(") != std::string::npos && is_sync_of_folder(*injected) &&
           std::any_of(injected + 1, run.calls.end(), is_sync_of_folder);
  }
};

TEST_P(LifeFaultTest, IsToldAndLeavesTheOldOrTheNewState) {
  if (!TracingIsPermitted()) GTEST_SKIP() << "SKIP: this machine permits no ptrace";
  TryEach();
}

INSTANTIATE_TEST_SUITE_P(
    Calls, LifeFaultTest,
    testing::Values(FailingCall{"write", "ENOSPC"}, FailingCall{"write", "EIO"},
                    FailingCall{"pwrite64", "ENOSPC"}, FailingCall{"pwrite64", "EIO"},
                    FailingCall{"fsync", "EIO"}, FailingCall{"fdatasync", "EIO"}),
    [](const auto& call) { return std::string(call.param.name) + "_" + call.param.error; });

}  // namespace
}  // namespace sightline::crash
