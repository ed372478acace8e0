#include "base/thread_pool.h"

#include <gtest/gtest.h>
#include <pthread.h>

#include <array>
#include <atomic>
#include <future>

namespace sightline::base {
namespace {

TEST(ThreadPoolTest, RunsEverythingBeforeItEnds) {
  std::atomic<int> ran = 0;
  {
    ThreadPool pool({.name = "test", .threads = 3, .queue_capacity = 2});
    for (int i = 0; i < 100; ++i) ASSERT_TRUE(pool.Submit([&] { ++ran; }).ok());
  }
  EXPECT_EQ(ran, 100);
}

TEST(ThreadPoolTest, ThreadsAreNamed) {
  std::promise<std::string> name;  // The task uses it until the pool has ended.
  ThreadPool pool({.name = "search", .threads = 1});
  ASSERT_TRUE(pool.Submit([&] {
                    std::array<char, 16> buffer{};
                    pthread_getname_np(pthread_self(), buffer.data(), buffer.size());
                    name.set_value(buffer.data());
                  })
                  .ok());
  EXPECT_EQ(name.get_future().get(), "search-0");
}

TEST(ThreadPoolTest, AFullQueueRefusesAtOnce) {
  std::promise<void> started;  // The task uses both until the pool has ended.
  std::promise<void> release;
  ThreadPool pool({.name = "full", .threads = 1, .queue_capacity = 1});
  ASSERT_TRUE(pool.Submit([&] {
                    started.set_value();
                    release.get_future().wait();
                  })
                  .ok());
  started.get_future().wait();
  EXPECT_TRUE(pool.TrySubmit([] {}).ok());
  EXPECT_EQ(pool.TrySubmit([] {}).code(), StatusCode::kResourceExhausted);
  EXPECT_EQ(pool.waiting(), 1U);
  release.set_value();
}

TEST(ThreadPoolTest, AfterShutdownNothingIsTaken) {
  ThreadPool pool({.name = "down", .threads = 1});
  pool.Shutdown();
  pool.Shutdown();
  EXPECT_EQ(pool.Submit([] {}).code(), StatusCode::kFailedPrecondition);
}

}  // namespace
}  // namespace sightline::base
