// Whether an open store holds just what it should.
#pragma once

#include <string>
#include <vector>

#include "base/result.h"
#include "crash/life_scenario.h"
#include "store/local_store.h"

namespace sightline::crash {

/// What is wrong, given what must be there. Looks at the folder (`CheckFolder`); finds every unit
/// by its own vectors, fast and exactly, and by its text, and nothing else; and compares exact
/// results to the bit with those of a store that was just filled with the same units. One line a
/// finding.
base::Result<std::vector<std::string>> CheckLife(const store::LocalStoreOptions& options,
                                                 store::LocalStore& store, const LifeState& state);

/// The same after one more document was added and everything was compacted.
base::Result<std::vector<std::string>> CheckLifeGoesOn(const store::LocalStoreOptions& options,
                                                       store::LocalStore& store,
                                                       const LifeState& state);

}  // namespace sightline::crash
