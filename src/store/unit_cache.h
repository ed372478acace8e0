// Units that were read lately: every search reads a few hundred, most of them again and again.
#pragma once

#include <atomic>
#include <cstdint>
#include <memory>

#include "cache/lru_cache.h"
#include "store/unit.h"

namespace sightline::store {

/// Units by id. Thread-safe. A unit never changes, but it may be removed: who removes calls `Clear`
/// after the removal is committed.
class UnitCache {
 public:
  /// Holds about `capacity_bytes`.
  explicit UnitCache(std::uint64_t capacity_bytes) : units_(capacity_bytes) {}

  /// The unit, or null.
  std::shared_ptr<const Unit> Find(UnitId id);

  /// To be read before the units are; `Keep` drops what was read before a removal.
  std::uint64_t generation() const { return generation_.load(); }
  /// Keeps a unit that was read in that generation.
  void Keep(std::shared_ptr<const Unit> unit, std::uint64_t generation);

  /// Forgets all units; those that are being read now will not be kept.
  void Clear();

 private:
  std::atomic<std::uint64_t> generation_{0};
  cache::LruCache<Unit> units_;
};

}  // namespace sightline::store
