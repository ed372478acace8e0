// What the crash tests do with a data folder, and what must hold of it afterwards.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "base/result.h"
#include "store/local_store.h"

namespace sightline::crash {

/// Called before and after each step: "add 3", "added 3", "remove 3", "removed 3", "compacted".
using Journal = std::function<void(const std::string& line)>;

/// Adds documents (blob, segment, preview, commit), commits some of them twice, removes some and
/// compacts, `rounds` times, going on with numbers from `first`. Stops at the first failure.
base::Status RunScenario(store::LocalStore& store, int first, int rounds, const Journal& journal);

/// What is wrong with the store, given the lines of the journal that are known to have been
/// written: each document is there whole or not at all, what was reported is there, what was
/// removed is not, nothing is left over, and all files are intact. One line a finding.
base::Result<std::vector<std::string>> CheckStore(const store::LocalStoreOptions& options,
                                                  store::LocalStore& store,
                                                  const std::vector<std::string>& journal);

}  // namespace sightline::crash
