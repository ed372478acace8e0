// The cache inside the process: sharded, least recently used goes first, bounded by bytes.
#pragma once

#include <array>
#include <cstdint>
#include <list>
#include <memory>
#include <unordered_map>
#include <utility>

#include "base/mutex.h"
#include "cache/cache_key.h"

namespace sightline::cache {

/// What a cache did since it was made. A snapshot: the numbers of busy shards may be a moment
/// apart.
struct CacheCounts {
  uint64_t hits = 0;
  uint64_t misses = 0;
  uint64_t evictions = 0;
  uint64_t entries = 0;
  uint64_t size_bytes = 0;
};

/// Keeps immutable values of one type. Thread-safe; a lock covers one of 16 shards and is never
/// held while values are made or destroyed.
template <typename Value>
class LruCache {
 public:
  using Pointer = std::shared_ptr<const Value>;  // shared: a reader keeps what was just evicted

  /// Holds values of at most `capacity_bytes` in all; 0 keeps nothing.
  explicit LruCache(uint64_t capacity_bytes) : shard_capacity_bytes_(capacity_bytes / kShards) {}

  /// The value, which becomes the most recently used; null when it is not there.
  Pointer Find(const CacheKey& key) {
    Shard& shard = ShardOf(key);
    base::MutexLock lock(shard.mutex);
    const auto found = shard.by_key.find(key);
    if (found == shard.by_key.end()) {
      ++shard.misses;
      return nullptr;
    }
    ++shard.hits;
    shard.entries.splice(shard.entries.begin(), shard.entries, found->second);
    return found->second->value;
  }

  /// Keeps `value`, which takes `size_bytes` of memory, in place of an older one of the key. A
  /// value over a shard's capacity is not kept.
  void Insert(const CacheKey& key, Pointer value, uint64_t size_bytes) {
    size_bytes += kEntryOverheadBytes;
    Shard& shard = ShardOf(key);
    std::list<Entry> removed;  // destroyed after the lock is gone
    base::MutexLock lock(shard.mutex);
    const auto found = shard.by_key.find(key);
    if (found != shard.by_key.end()) Remove(&shard, found->second, &removed);
    if (size_bytes > shard_capacity_bytes_) return;
    while (shard.size_bytes + size_bytes > shard_capacity_bytes_) {
      Remove(&shard, std::prev(shard.entries.end()), &removed);
      ++shard.evictions;
    }
    shard.entries.push_front({key, std::move(value), size_bytes});
    shard.by_key[key] = shard.entries.begin();
    shard.size_bytes += size_bytes;
  }

  /// Forgets everything.
  void Clear() {
    for (Shard& shard : shards_) {
      std::list<Entry> removed;
      base::MutexLock lock(shard.mutex);
      removed.swap(shard.entries);
      shard.by_key.clear();
      shard.size_bytes = 0;
    }
  }

  CacheCounts counts() {  ///< What it did so far.
    CacheCounts sum;
    for (Shard& shard : shards_) {
      base::MutexLock lock(shard.mutex);
      sum.hits += shard.hits;
      sum.misses += shard.misses;
      sum.evictions += shard.evictions;
      sum.entries += shard.entries.size();
      sum.size_bytes += shard.size_bytes;
    }
    return sum;
  }

 private:
  static constexpr size_t kShards = 16;
  /// List node, table node and key, roughly; keeps a flood of empty values bounded.
  static constexpr uint64_t kEntryOverheadBytes = 160;

  struct Entry {
    CacheKey key;
    Pointer value;
    uint64_t size_bytes;
  };
  using Position = typename std::list<Entry>::iterator;

  struct Shard {
    base::Mutex mutex;
    std::list<Entry> entries SIGHTLINE_GUARDED_BY(mutex);  // most recently used first
    std::unordered_map<CacheKey, Position, CacheKeyHash> by_key SIGHTLINE_GUARDED_BY(mutex);
    uint64_t size_bytes SIGHTLINE_GUARDED_BY(mutex) = 0;
    uint64_t hits SIGHTLINE_GUARDED_BY(mutex) = 0;
    uint64_t misses SIGHTLINE_GUARDED_BY(mutex) = 0;
    uint64_t evictions SIGHTLINE_GUARDED_BY(mutex) = 0;
  };

  Shard& ShardOf(const CacheKey& key) {
    // The last byte: the hash table takes the first ones.
    return shards_[std::to_integer<size_t>(key.back()) % kShards];
  }

  static void Remove(Shard* shard, Position position, std::list<Entry>* removed)
      SIGHTLINE_REQUIRES(shard->mutex) {
    shard->size_bytes -= position->size_bytes;
    shard->by_key.erase(position->key);
    removed->splice(removed->begin(), shard->entries, position);
  }

  const uint64_t shard_capacity_bytes_;
  std::array<Shard, kShards> shards_;
};

}  // namespace sightline::cache
