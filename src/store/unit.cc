#include "store/unit.h"

#include "store/stored_names.h"

namespace sightline::store {

const char* DocumentStateName(DocumentState state) { return StoredName(state); }

const char* UnitKindName(UnitKind kind) { return StoredName(kind); }

}  // namespace sightline::store
