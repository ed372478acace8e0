// ResultCache: answers of whole searches, valid for exactly one commit of a collection.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <string_view>
#include <utility>

#include "base/deadline.h"
#include "base/result.h"
#include "cache/cache_key.h"
#include "cache/lru_cache.h"
#include "cache/single_flight.h"

namespace sightline::cache {

/// What a search depends on besides the commit.
struct ResultKey {
  std::string_view tenant_salt;
  std::string_view collection;
  std::string_view request;  ///< the request in one canonical form: query, image bytes, filter, …
};

/// Keeps responses of type `Response`. A commit gives the collection another number, so old entries
/// are never found again and leave by age; nothing has to be invalidated. Thread-safe.
template <typename Response>
class ResultCache {
 public:
  using Pointer = std::shared_ptr<const Response>;
  /// A response, and how much memory it takes.
  struct Sized {
    Pointer response;
    uint64_t size_bytes = 0;
  };

  explicit ResultCache(uint64_t capacity_bytes) : responses_(capacity_bytes) {}  ///< 0: none.

  /// The response at that commit, from the cache or from `search`, which runs once for all who ask
  /// the same meanwhile. Read `commit_number` before the snapshot that `search` uses is taken.
  base::Result<Pointer> GetOrSearch(const ResultKey& key, int64_t commit_number,
                                    const base::CancelToken& cancel,
                                    const std::function<base::Result<Sized>()>& search) {
    const CacheKey cache_key = CacheKeyBuilder()
                                   .Text("results")
                                   .Text(key.tenant_salt)
                                   .Text(key.collection)
                                   .Number(commit_number)
                                   .Text(key.request)
                                   .Build();
    if (Pointer found = responses_.Find(cache_key)) return found;
    return flights_.Do(cache_key, cancel, [&]() -> base::Result<Pointer> {
      SIGHTLINE_ASSIGN_OR_RETURN(Sized made, search());
      responses_.Insert(cache_key, made.response, made.size_bytes);
      return std::move(made.response);
    });
  }

  CacheCounts counts() { return responses_.counts(); }  ///< What it did so far.

 private:
  LruCache<Response> responses_;
  SingleFlight<Pointer> flights_;
};

}  // namespace sightline::cache
