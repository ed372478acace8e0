#include "store/unit_cache.h"

#include <cstddef>
#include <cstring>
#include <utility>

namespace sightline::store {
namespace {

/// Ids are unique by themselves: no digest is needed, only the bytes that the cache looks at.
cache::CacheKey KeyOf(UnitId id) {
  cache::CacheKey key{};
  static_assert(sizeof(id) <= sizeof(key));
  std::memcpy(key.data(), &id, sizeof(id));
  key.back() = static_cast<std::byte>(id);
  return key;
}

std::uint64_t SizeOf(const Unit& unit) {
  std::uint64_t bytes = sizeof(Unit) + unit.document_id.size() + unit.text.size() +
                        unit.locator.page_label.size() + unit.preview_sha256.size();
  for (const std::string& name : unit.concepts) bytes += sizeof(name) + name.size();
  return bytes;
}

}  // namespace

std::shared_ptr<const Unit> UnitCache::Find(UnitId id) { return units_.Find(KeyOf(id)); }

void UnitCache::Keep(std::shared_ptr<const Unit> unit, std::uint64_t generation) {
  if (generation != this->generation()) return;
  const cache::CacheKey key = KeyOf(unit->id);
  const std::uint64_t size_bytes = SizeOf(*unit);
  units_.Insert(key, std::move(unit), size_bytes);
  // A removal may have come between: its clearing may have missed this unit.
  if (generation != this->generation()) units_.Clear();
}

void UnitCache::Clear() {
  generation_.fetch_add(1);
  units_.Clear();
}

}  // namespace sightline::store
