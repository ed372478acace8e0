// TieredCache: bytes by key, in this process first, then in a shared store, then computed once.
#pragma once

#include <atomic>
#include <chrono>
#include <cstdint>
#include <functional>
#include <memory>
#include <string>

#include "base/deadline.h"
#include "base/result.h"
#include "cache/lru_cache.h"
#include "cache/remote_cache.h"
#include "cache/single_flight.h"

namespace sightline::cache {

struct TieredCacheOptions {                      ///< How large, and what lies behind.
  uint64_t capacity_bytes = uint64_t{64} << 20;  ///< of the tier in this process
  std::chrono::seconds remote_time_to_live{24 * 3600};
  RemoteCache* remote = nullptr;  ///< not owned; null: no second tier
};

/// Thread-safe.
class TieredCache {
 public:
  using Value = std::shared_ptr<const std::string>;
  using Function = std::function<base::Result<std::string>()>;

  explicit TieredCache(const TieredCacheOptions& options);  ///< `remote` lives longer.

  /// The cached bytes, or those of `make`, which runs once for all who ask for the key meanwhile.
  /// Failures of `make` are not cached. A second tier that fails counts as empty and is counted.
  base::Result<Value> GetOrCompute(const CacheKey& key, const base::CancelToken& cancel,
                                   const Function& make);

  /// Counts of the tier in this process.
  CacheCounts counts() { return local_.counts(); }
  /// Times that the second tier could not be reached.
  uint64_t remote_failures() const { return remote_failures_.load(); }

 private:
  base::Result<Value> Fill(const CacheKey& key, const base::CancelToken& cancel,
                           const Function& make);
  Value Keep(const CacheKey& key, std::string bytes);

  const TieredCacheOptions options_;
  LruCache<std::string> local_;
  SingleFlight<Value> flights_;
  std::atomic<uint64_t> remote_failures_{0};
};

}  // namespace sightline::cache
