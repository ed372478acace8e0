// What the tests of a life with faults share: where it works, and what must be left.
#pragma once

#include <string>
#include <vector>

#include "crash/life_scenario.h"
#include "crash/traced_child.h"
#include "store/contract/temporary_folder.h"

namespace sightline::crash {

/// A folder in memory where the system has a place for that: what a kill or a failed call leaves is
/// the same there, and thousands of runs need not wait for a disk.
class LifeFolder {
 public:
  LifeFolder();
  /// Where the child's store is.
  std::string data_dir() const { return folder_.File("data"); }
  /// That store.
  store::LocalStoreOptions options() const { return LifeOptions(data_dir()); }

 private:
  store::TemporaryFolder folder_;
};

/// Runs life_child on `folder` with a fault, and records the calls `traced`. Fails the test when it
/// could not be traced.
TracedRun Live(const LifeFolder& folder, const Fault& fault, const std::string& traced);

/// Opens the store that a run has left and fails the test unless it holds just what the journal
/// allows: what was told is done; the first step that was not told to be done may have taken place
/// or not, and no other one has.
void ExpectSound(const store::LocalStoreOptions& options, const std::vector<std::string>& journal);

}  // namespace sightline::crash
