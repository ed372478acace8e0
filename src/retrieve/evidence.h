// Evidence: groups become hits that a person can check.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "base/result.h"
#include "base/thread_pool.h"
#include "retrieve/grouping.h"
#include "retrieve/search.h"
#include "store/catalog.h"

namespace sightline::retrieve {

/// Loads documents and shown units, cuts snippets and names the reasons. Groups whose document was
/// removed meanwhile are left out. `query` marks the words in the snippet.
base::Result<std::vector<Hit>> MakeHits(std::span<const Group> groups, std::string_view query,
                                        store::Catalog& catalog, base::ThreadPool& pool);

}  // namespace sightline::retrieve
