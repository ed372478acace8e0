// Keys of caches: SHA-256 over length-prefixed fields, so that two different lists of fields never
// share a key.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <string_view>

#include "base/digest.h"

namespace sightline::cache {

/// Names a cached value. Compare and hash as bytes.
using CacheKey = base::Sha256Digest;

/// Builds a key field by field. By convention the first is what the value is ("embedding",
/// "results"), the second the tenant's salt; then the space or commit number, options, exact bytes.
class CacheKeyBuilder {
 public:
  CacheKeyBuilder& Text(std::string_view field);  ///< Adds exact bytes.
  CacheKeyBuilder& Number(int64_t field);         ///< Adds a number.
  /// The key of all fields; nothing may follow.
  CacheKey Build();

 private:
  base::Sha256 hash_;
};

/// For hash tables: the digest's own first bytes.
struct CacheKeyHash {
  size_t operator()(const CacheKey& key) const;
};

/// The key as 64 hexadecimal digits, for caches that other programs keep.
std::string CacheKeyText(const CacheKey& key);

}  // namespace sightline::cache
