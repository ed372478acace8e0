// Compaction of one collection: merging, the catalog's switch, and retiring what was replaced.
#pragma once

#include <string_view>

#include "base/deadline.h"
#include "base/status.h"
#include "store/catalog.h"
#include "store/vector_store.h"

namespace sightline::store {

/// Merges the collection's small segments where that pays. A failure leaves the old segments in
/// use. Thread-safe as the stores are; two runs at once over one collection are not useful.
base::Status CompactCollection(std::string_view collection, Catalog& catalog, VectorStore& vectors,
                               const base::CancelToken& cancel);

}  // namespace sightline::store
