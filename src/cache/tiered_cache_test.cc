#include "cache/tiered_cache.h"

#include <gtest/gtest.h>

#include <atomic>
#include <latch>
#include <map>
#include <string>
#include <thread>
#include <vector>

#include "base/mutex.h"
#include "cache/result_cache.h"

namespace sightline::cache {
namespace {

CacheKey Key(std::string_view text) { return CacheKeyBuilder().Text(text).Build(); }

/// A second tier in memory that can be made unreachable.
class FakeRemote : public RemoteCache {
 public:
  base::Result<std::optional<std::string>> Get(const CacheKey& key,
                                               const base::CancelToken&) override {
    base::MutexLock lock(mutex_);
    if (broken_) return base::Unavailable("down");
    const auto found = values_.find(key);
    if (found == values_.end()) return std::optional<std::string>();
    return std::optional<std::string>(found->second);
  }
  base::Status Set(const CacheKey& key, std::string_view value, std::chrono::seconds) override {
    base::MutexLock lock(mutex_);
    if (broken_) return base::Unavailable("down");
    values_[key] = std::string(value);
    return base::OkStatus();
  }
  void Break() {
    base::MutexLock lock(mutex_);
    broken_ = true;
  }

 private:
  base::Mutex mutex_;
  std::map<CacheKey, std::string> values_;
  bool broken_ = false;
};

/// Calls and checks one value.
std::string Get(TieredCache& cache, std::string_view key, const TieredCache::Function& make) {
  const base::Result<TieredCache::Value> value =
      cache.GetOrCompute(Key(key), base::CancelToken(), make);
  EXPECT_TRUE(value.ok()) << value.status().ToString();
  return value.ok() ? **value : "";
}

TEST(TieredCache, ComputesOnce) {
  TieredCache cache({});
  int calls = 0;
  const auto make = [&calls]() -> base::Result<std::string> {
    ++calls;
    return std::string("value");
  };
  EXPECT_EQ(Get(cache, "k", make), "value");
  EXPECT_EQ(Get(cache, "k", make), "value");
  EXPECT_EQ(calls, 1);
  EXPECT_EQ(Get(cache, "other", make), "value");
  EXPECT_EQ(calls, 2);
}

TEST(TieredCache, FailuresAreNotKept) {
  TieredCache cache({});
  const auto failing = []() -> base::Result<std::string> { return base::Unavailable("no"); };
  EXPECT_EQ(cache.GetOrCompute(Key("k"), {}, failing).status().code(),
            base::StatusCode::kUnavailable);
  EXPECT_EQ(Get(cache, "k", [] { return std::string("now"); }), "now");
}

TEST(TieredCache, AnotherProcessFindsWhatThisOneMade) {
  FakeRemote remote;
  TieredCacheOptions options;
  options.remote = &remote;
  TieredCache first(options);
  TieredCache second(options);
  EXPECT_EQ(Get(first, "k", [] { return std::string("made"); }), "made");
  EXPECT_EQ(Get(second, "k", [] { return std::string("made again"); }), "made");
}

TEST(TieredCache, GoesOnWithoutABrokenSecondTier) {
  FakeRemote remote;
  remote.Break();
  TieredCacheOptions options;
  options.remote = &remote;
  TieredCache cache(options);
  EXPECT_EQ(Get(cache, "k", [] { return std::string("made"); }), "made");
  EXPECT_EQ(cache.remote_failures(), 2U);
}

TEST(TieredCache, OfManyWhoAskAtOnceOneComputes) {
  for (int round = 0; round < 50; ++round) {
    TieredCache cache({});
    std::atomic<int> calls{0};
    std::atomic<int> right{0};
    std::latch start(8);
    std::vector<std::thread> threads;
    for (int t = 0; t < 8; ++t) {
      threads.emplace_back([&] {
        start.arrive_and_wait();
        const auto value = cache.GetOrCompute(Key("k"), {}, [&]() -> base::Result<std::string> {
          ++calls;
          return std::string("value");
        });
        if (value.ok() && **value == "value") ++right;
      });
    }
    for (std::thread& thread : threads) thread.join();
    EXPECT_EQ(calls.load(), 1);
    EXPECT_EQ(right.load(), 8);
  }
}

TEST(SingleFlight, ACancelledLeaderDoesNotFailTheOthers) {
  SingleFlight<int> flights;
  std::latch leading(1);
  std::latch finish(1);
  base::Result<int> led = 0;
  std::thread leader([&] {
    led = flights.Do(Key("k"), {}, [&]() -> base::Result<int> {
      leading.count_down();
      finish.wait();
      return base::Cancelled("the leader went away");
    });
  });
  leading.wait();
  base::Result<int> followed = 0;
  std::thread follower(
      [&] { followed = flights.Do(Key("k"), {}, []() -> base::Result<int> { return 7; }); });
  finish.count_down();
  leader.join();
  follower.join();
  EXPECT_EQ(led.status().code(), base::StatusCode::kCancelled);
  ASSERT_TRUE(followed.ok());
  EXPECT_EQ(*followed, 7);
}

TEST(SingleFlight, WaitingEndsWhenTheWaiterIsCancelled) {
  SingleFlight<int> flights;
  std::latch leading(1);
  std::latch finish(1);
  std::thread leader([&] {
    const auto led = flights.Do(Key("k"), {}, [&]() -> base::Result<int> {
      leading.count_down();
      finish.wait();
      return 1;
    });
    EXPECT_TRUE(led.ok());
  });
  leading.wait();
  const base::CancelToken cancel;
  std::thread canceller([&cancel] { cancel.Cancel(); });
  const auto waited = flights.Do(Key("k"), cancel, []() -> base::Result<int> { return 2; });
  EXPECT_EQ(waited.status().code(), base::StatusCode::kCancelled);
  canceller.join();
  finish.count_down();
  leader.join();
}

TEST(ResultCache, ACommitMakesOldResponsesUnreachable) {
  ResultCache<std::string> cache(1 << 20);
  int calls = 0;
  const auto search = [&calls]() -> base::Result<ResultCache<std::string>::Sized> {
    ++calls;
    return ResultCache<std::string>::Sized{
        std::make_shared<const std::string>("answer " + std::to_string(calls)), 10};
  };
  const ResultKey key{"salt", "default", "{\"query\":\"猫\"}"};
  const auto ask = [&](const ResultKey& asked, int64_t commit) {
    const auto response = cache.GetOrSearch(asked, commit, {}, search);
    return response.ok() ? **response : "failed";
  };
  EXPECT_EQ(ask(key, 1), "answer 1");
  EXPECT_EQ(ask(key, 1), "answer 1");
  EXPECT_EQ(ask(key, 2), "answer 2");
  EXPECT_EQ(ask({"other", "default", key.request}, 2), "answer 3");
  EXPECT_EQ(ask({"salt", "other", key.request}, 2), "answer 4");
}

}  // namespace
}  // namespace sightline::cache
