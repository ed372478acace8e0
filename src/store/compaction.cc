#include "store/compaction.h"

namespace sightline::store {

base::Status CompactCollection(std::string_view collection, Catalog& catalog, VectorStore& vectors,
                               const base::CancelToken& cancel) {
  SIGHTLINE_ASSIGN_OR_RETURN(const auto snapshot, catalog.GetSnapshot(collection));
  SIGHTLINE_ASSIGN_OR_RETURN(const auto merges, vectors.Compact(*snapshot, cancel));
  for (const VectorStore::Merge& merge : merges) {
    SIGHTLINE_RETURN_IF_ERROR(catalog.ReplaceSegments(merge.replaced, merge.merged));
    SIGHTLINE_RETURN_IF_ERROR(vectors.Retire(merge.replaced));
  }
  return base::OkStatus();
}

}  // namespace sightline::store
