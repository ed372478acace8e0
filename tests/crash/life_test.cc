#include "crash/life_test.h"

#include <gtest/gtest.h>

#include <filesystem>
#include <optional>

#include "crash/life_check.h"

namespace sightline::crash {
namespace {

namespace fs = std::filesystem;

fs::path Parent() {
  const fs::path memory = "/dev/shm";
  return fs::is_directory(memory) ? memory : fs::temp_directory_path();
}

std::vector<LifeState> PossibleStates(const std::vector<std::string>& journal) {
  std::size_t line = 1;  // After that of the opening.
  LifeState without;
  std::optional<LifeState> with;
  for (const Step& step : kLife) {
    const bool done = line < journal.size() && journal[line] == "done " + Describe(step);
    ++line;
    if (done) {
      without = After(step, std::move(without));
      if (with) with = After(step, *std::move(with));
    } else if (!with) {
      with = After(step, without);
    }
  }
  return {without, with.value_or(without)};
}

}  // namespace

LifeFolder::LifeFolder() : folder_(Parent()) {}

TracedRun Live(const LifeFolder& folder, const Fault& fault, const std::string& traced) {
  TracedRun run = RunTraced(SIGHTLINE_CRASH_CHILD, folder.data_dir(), fault, traced);
  EXPECT_FALSE(run.calls.empty())
      << "strace (packages/test.txt) did not trace: it is not installed; its "
         "status is "
      << run.status;
  return run;
}

void ExpectSound(const store::LocalStoreOptions& options, const std::vector<std::string>& journal) {
  auto store = store::OpenLocalStore(options);
  ASSERT_TRUE(store.ok()) << store.status().ToString();
  const auto state = ReadState(*store);
  ASSERT_TRUE(state.ok()) << state.status().ToString();
  const auto possible = PossibleStates(journal);
  ASSERT_TRUE(*state == possible[0] || *state == possible[1])
      << "found " << testing::PrintToString(*state) << ", not " << testing::PrintToString(possible)
      << " after " << testing::PrintToString(journal);
  for (const auto check : {CheckLife, CheckLifeGoesOn}) {
    const auto findings = check(options, *store, *state);
    ASSERT_TRUE(findings.ok()) << findings.status().ToString();
    ASSERT_EQ(*findings, std::vector<std::string>());
  }
}

}  // namespace sightline::crash
