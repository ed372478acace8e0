// Power cuts, failed operations and full disks under segments and blobs: those that strace cannot
// bring about, because what was not synced must be gone. Files are in memory, the catalog is not.
#include <gtest/gtest.h>

#include <algorithm>
#include <cerrno>
#include <functional>
#include <string>
#include <vector>

#include "crash/life_test.h"
#include "io/fault_injecting_file_system.h"
#include "io/memory_file_system.h"

namespace sightline::crash {
namespace {

/// What follows a step that failed.
enum class AfterFailure { kGoOn, kNothing };

/// The journal of a life in this process.
std::vector<std::string> LiveHere(const store::LocalStoreOptions& options, AfterFailure then) {
  std::vector<std::string> journal;
  auto store = store::OpenLocalStore(options);
  journal.push_back(store.ok() ? "done open" : "failed open");
  if (!store.ok()) return journal;
  for (const Step& step : kLife) {
    const bool done = Take(step, *store).ok();
    journal.push_back((done ? "done " : "failed ") + Describe(step));
    if (!done && then == AfterFailure::kNothing) break;
  }
  return journal;
}

bool HasFailed(const std::vector<std::string>& journal) {
  return std::ranges::any_of(journal,
                             [](const std::string& line) { return line.starts_with("failed"); });
}

class LifePowerTest : public testing::Test {
 protected:
  using Plan = std::function<void(io::FaultInjectingFileSystem&, std::uint64_t)>;

  void SetUp() override {
    const LifeFolder folder;
    io::MemoryFileSystem memory;
    io::FaultInjectingFileSystem files(memory);
    ASSERT_FALSE(HasFailed(LiveHere(Options(folder, files), AfterFailure::kGoOn)));
    operations_ = files.operation_count();
    ASSERT_GT(operations_, 200U);
  }

  static store::LocalStoreOptions Options(const LifeFolder& folder, io::FileSystem& files) {
    store::LocalStoreOptions options = LifeOptions("/data");
    options.catalog_path = folder.data_dir() + ".sqlite";
    options.files = &files;
    return options;
  }

  /// Lives with a fault planned for `at`, then cuts the power; whether a step failed.
  static bool LiveWith(const Plan& plan, std::uint64_t at, AfterFailure then) {
    SCOPED_TRACE(at);
    const LifeFolder folder;
    io::MemoryFileSystem memory;
    io::FaultInjectingFileSystem files(memory);
    plan(files, at);
    const auto journal = LiveHere(Options(folder, files), then);
    files.Crash();
    ExpectSound(Options(folder, files), journal);
    return HasFailed(journal);
  }

  std::uint64_t operations_ = 0;
};

TEST_F(LifePowerTest, PowerCutAtEachOperationLosesNothingThatWasTold) {
  const auto cut = [](io::FaultInjectingFileSystem& files, std::uint64_t n) { files.CrashAt(n); };
  for (std::uint64_t n = 0; n < operations_ && !HasFailure(); ++n) {
    // The catalog has power still: nobody may use it.
    LiveWith(cut, n, AfterFailure::kNothing);
  }
}

TEST_F(LifePowerTest, EachFailedOperationLeavesTheOldOrTheNewState) {
  const auto fail = [](io::FaultInjectingFileSystem& files, std::uint64_t n) {
    files.FailOperation(n, EIO);
  };
  for (std::uint64_t n = 0; n < operations_ && !HasFailure(); ++n) {
    LiveWith(fail, n, AfterFailure::kGoOn);
  }
}

TEST_F(LifePowerTest, FullDiskIsToldWhereverItIsAndLeavesTheOldState) {
  const auto fill = [](io::FaultInjectingFileSystem& files, std::uint64_t room) {
    files.SetSpaceLeft(room);
  };
  std::uint64_t room = 0;
  while (LiveWith(fill, room, AfterFailure::kGoOn) && !HasFailure()) room += 997;
  EXPECT_GT(room, 60'000U) << "of which most is code parts";
}

}  // namespace
}  // namespace sightline::crash
