#include "cache/lru_cache.h"

#include <gtest/gtest.h>

#include <memory>
#include <string>
#include <thread>
#include <vector>

namespace sightline::cache {
namespace {

CacheKey Key(int64_t number) { return CacheKeyBuilder().Number(number).Build(); }
std::shared_ptr<const std::string> Text(const std::string& text) {
  return std::make_shared<const std::string>(text);
}

TEST(CacheKey, FieldsDoNotRunTogether) {
  EXPECT_NE(CacheKeyBuilder().Text("ab").Text("c").Build(),
            CacheKeyBuilder().Text("a").Text("bc").Build());
  EXPECT_NE(CacheKeyBuilder().Text("").Build(), CacheKeyBuilder().Text("").Text("").Build());
  EXPECT_EQ(CacheKeyBuilder().Text("a").Number(1).Build(),
            CacheKeyBuilder().Text("a").Number(1).Build());
  EXPECT_EQ(CacheKeyText(Key(1)).size(), 64U);
}

TEST(LruCache, FindsWhatWasInserted) {
  LruCache<std::string> cache(1 << 20);
  EXPECT_EQ(cache.Find(Key(1)), nullptr);
  cache.Insert(Key(1), Text("one"), 3);
  cache.Insert(Key(1), Text("uno"), 3);
  ASSERT_NE(cache.Find(Key(1)), nullptr);
  EXPECT_EQ(*cache.Find(Key(1)), "uno");
  const CacheCounts counts = cache.counts();
  EXPECT_EQ(counts.hits, 2U);
  EXPECT_EQ(counts.misses, 1U);
  EXPECT_EQ(counts.entries, 1U);
}

TEST(LruCache, NeverHoldsMoreThanItsCapacity) {
  constexpr uint64_t kCapacity = 1 << 16;
  LruCache<std::string> cache(kCapacity);
  for (int64_t i = 0; i < 2000; ++i) {
    cache.Insert(Key(i), Text("x"), 100);
    ASSERT_LE(cache.counts().size_bytes, kCapacity);
  }
  EXPECT_GT(cache.counts().evictions, 0U);
  EXPECT_GT(cache.counts().entries, 0U);
}

TEST(LruCache, KeepsWhatIsUsed) {
  LruCache<std::string> cache(1 << 16);
  cache.Insert(Key(-1), Text("kept"), 100);
  for (int64_t i = 0; i < 2000; ++i) {
    cache.Insert(Key(i), Text("x"), 100);
    ASSERT_NE(cache.Find(Key(-1)), nullptr) << i;
  }
}

TEST(LruCache, ValuesOverTheCapacityAreNotKept) {
  LruCache<std::string> cache(1 << 16);
  cache.Insert(Key(1), Text("small"), 5);
  cache.Insert(Key(1), Text("large"), 1 << 20);
  EXPECT_EQ(cache.Find(Key(1)), nullptr);
  LruCache<std::string> none(0);
  none.Insert(Key(1), Text("x"), 0);
  EXPECT_EQ(none.Find(Key(1)), nullptr);
}

TEST(LruCache, AReaderKeepsWhatWasCleared) {
  LruCache<std::string> cache(1 << 16);
  cache.Insert(Key(1), Text("one"), 3);
  const auto held = cache.Find(Key(1));
  cache.Clear();
  EXPECT_EQ(cache.Find(Key(1)), nullptr);
  EXPECT_EQ(*held, "one");
  EXPECT_EQ(cache.counts().size_bytes, 0U);
}

TEST(LruCache, ManyThreadsAgree) {
  LruCache<std::string> cache(1 << 14);
  std::vector<std::thread> threads;
  std::vector<int> wrong(4, 0);
  for (size_t t = 0; t < wrong.size(); ++t) {
    threads.emplace_back([&cache, &wrong, t] {
      for (int64_t i = 0; i < 5000; ++i) {
        const int64_t number = (i * 31 + static_cast<int64_t>(t)) % 97;
        if (const auto found = cache.Find(Key(number))) {
          wrong[t] += *found == std::to_string(number) ? 0 : 1;
        } else {
          cache.Insert(Key(number), Text(std::to_string(number)), 200);
        }
      }
    });
  }
  for (std::thread& thread : threads) thread.join();
  EXPECT_EQ(wrong, std::vector<int>(4, 0));
  EXPECT_LE(cache.counts().size_bytes, uint64_t{1} << 14);
}

}  // namespace
}  // namespace sightline::cache
