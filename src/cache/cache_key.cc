#include "cache/cache_key.h"

#include <cstring>

namespace sightline::cache {

CacheKeyBuilder& CacheKeyBuilder::Text(std::string_view field) {
  hash_.UpdateField(field);
  return *this;
}

CacheKeyBuilder& CacheKeyBuilder::Number(int64_t field) { return Text(std::to_string(field)); }

CacheKey CacheKeyBuilder::Build() { return hash_.Finish(); }

size_t CacheKeyHash::operator()(const CacheKey& key) const {
  size_t hash = 0;
  std::memcpy(&hash, key.data(), sizeof(hash));
  return hash;
}

std::string CacheKeyText(const CacheKey& key) { return base::HexEncode(key); }

}  // namespace sightline::cache
