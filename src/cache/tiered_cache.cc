#include "cache/tiered_cache.h"

#include <optional>
#include <utility>

namespace sightline::cache {

TieredCache::TieredCache(const TieredCacheOptions& options)
    : options_(options), local_(options.capacity_bytes) {}

base::Result<TieredCache::Value> TieredCache::GetOrCompute(const CacheKey& key,
                                                           const base::CancelToken& cancel,
                                                           const Function& make) {
  if (Value value = local_.Find(key)) return value;
  return flights_.Do(key, cancel, [&] { return Fill(key, cancel, make); });
}

base::Result<TieredCache::Value> TieredCache::Fill(const CacheKey& key,
                                                   const base::CancelToken& cancel,
                                                   const Function& make) {
  // Between the miss and the start of this flight another one may have landed.
  if (Value value = local_.Find(key)) return value;
  if (options_.remote != nullptr) {
    base::Result<std::optional<std::string>> remote = options_.remote->Get(key, cancel);
    if (!remote.ok()) ++remote_failures_;
    if (remote.ok() && remote->has_value()) return Keep(key, **std::move(remote));
  }
  SIGHTLINE_ASSIGN_OR_RETURN(std::string bytes, make());
  if (options_.remote != nullptr) {
    const base::Status stored = options_.remote->Set(key, bytes, options_.remote_time_to_live);
    if (!stored.ok()) ++remote_failures_;
  }
  return Keep(key, std::move(bytes));
}

TieredCache::Value TieredCache::Keep(const CacheKey& key, std::string bytes) {
  const uint64_t size_bytes = bytes.size();
  auto value = std::make_shared<const std::string>(std::move(bytes));
  local_.Insert(key, value, size_bytes);
  return value;
}

}  // namespace sightline::cache
