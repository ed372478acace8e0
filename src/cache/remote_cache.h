// Port of the second tier: bytes by key in a store that several processes share.
#pragma once

#include <chrono>
#include <optional>
#include <string>
#include <string_view>

#include "base/deadline.h"
#include "base/result.h"
#include "cache/cache_key.h"

namespace sightline::cache {

/// Contract: thread-safe; may forget anything at any time; a value that `Get` gives is exactly what
/// some `Set` of that key stored. A failure means the store cannot be reached, never that a value
/// is missing, and callers go on without the tier.
class RemoteCache {
 public:
  virtual ~RemoteCache() = default;

  /// The value, or nothing. Ends early with `cancel`.
  virtual base::Result<std::optional<std::string>> Get(const CacheKey& key,
                                                       const base::CancelToken& cancel) = 0;
  /// Stores a value that is forgotten after `time_to_live` at the latest.
  virtual base::Status Set(const CacheKey& key, std::string_view value,
                           std::chrono::seconds time_to_live) = 0;
};

}  // namespace sightline::cache
