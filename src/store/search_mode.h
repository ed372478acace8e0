// What a search over vectors may leave out.
#pragma once

namespace sightline::store {

/// How sure a search must be to find the best.
enum class SearchMode {
  kFast,   ///< It nearly always finds them; scores are exact.
  kExact,  ///< Every unit is compared.
};

}  // namespace sightline::store
