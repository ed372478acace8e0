#include "base/bounded_queue.h"

#include <gtest/gtest.h>

#include <atomic>
#include <memory>
#include <thread>
#include <vector>

namespace sightline::base {
namespace {

TEST(BoundedQueueTest, KeepsOrderAndDrainsAfterClose) {
  BoundedQueue<std::unique_ptr<int>> queue(4);
  for (int i = 0; i < 3; ++i) ASSERT_TRUE(queue.Push(std::make_unique<int>(i)).ok());
  queue.Close();
  EXPECT_EQ(queue.Push(std::make_unique<int>(9)).code(), StatusCode::kFailedPrecondition);
  for (int i = 0; i < 3; ++i) {
    auto item = queue.Pop();
    ASSERT_TRUE(item.ok() && item->has_value());
    EXPECT_EQ(***item, i);
  }
  EXPECT_FALSE(queue.Pop()->has_value());
  EXPECT_FALSE(queue.TryPop().has_value());
}

TEST(BoundedQueueTest, AFullQueueRefusesAndKeepsTheItem) {
  BoundedQueue<std::unique_ptr<int>> queue(1);
  auto first = std::make_unique<int>(1);
  auto second = std::make_unique<int>(2);
  EXPECT_TRUE(queue.TryPush(first));
  EXPECT_FALSE(queue.TryPush(second));
  EXPECT_EQ(*second, 2);
  EXPECT_EQ(queue.size(), 1U);
}

TEST(BoundedQueueTest, WaitingEndsWithTheDeadline) {
  FakeClock clock;
  BoundedQueue<int> queue(1);
  const CancelToken past = CancelToken::After(std::chrono::seconds(0), clock);
  EXPECT_EQ(queue.Pop(past).status().code(), StatusCode::kDeadlineExceeded);
  ASSERT_TRUE(queue.Push(1).ok());
  EXPECT_EQ(queue.Push(2, past).code(), StatusCode::kDeadlineExceeded);
}

TEST(BoundedQueueTest, CancellingWakesAWaiter) {
  BoundedQueue<int> queue(1);
  const CancelToken token;
  Status popped;
  std::thread waiter([&] { popped = queue.Pop(token).status(); });
  token.Cancel();
  waiter.join();
  EXPECT_EQ(popped.code(), StatusCode::kCancelled);
}

TEST(BoundedQueueTest, EveryItemArrivesOnceAndNeverMoreThanTheCapacityWaits) {
  constexpr int kItems = 2000;
  BoundedQueue<int> queue(3);
  std::atomic<int> sum = 0;
  std::atomic<size_t> largest = 0;
  std::vector<std::thread> consumers;
  for (int c = 0; c < 3; ++c) {
    consumers.emplace_back([&] {
      for (;;) {
        const size_t size = queue.size();
        size_t seen = largest;
        while (size > seen && !largest.compare_exchange_weak(seen, size)) {
        }
        auto item = queue.Pop();
        if (!item.ok() || !item->has_value()) return;
        sum += **item;
      }
    });
  }
  std::vector<std::thread> producers;
  for (int p = 0; p < 2; ++p) {
    producers.emplace_back([&] {
      for (int i = 1; i <= kItems; ++i) EXPECT_TRUE(queue.Push(i).ok());
    });
  }
  for (auto& producer : producers) producer.join();
  queue.Close();
  for (auto& consumer : consumers) consumer.join();
  EXPECT_EQ(sum, kItems * (kItems + 1));
  EXPECT_LE(largest, 3U);
}

}  // namespace
}  // namespace sightline::base
