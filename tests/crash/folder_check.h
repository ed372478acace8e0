// What must hold of every data folder that has just been opened.
#pragma once

#include <string>
#include <vector>

#include "base/result.h"
#include "store/local_store.h"

namespace sightline::crash {

/// What is wrong with the folder of an open store: the catalog checks itself, every file that it
/// refers to is intact, and no file lies there that nothing refers to. One line a finding.
base::Result<std::vector<std::string>> CheckFolder(const store::LocalStoreOptions& options,
                                                   store::LocalStore& store);

}  // namespace sightline::crash
