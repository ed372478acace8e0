#include "base/parallel_for.h"

#include <gtest/gtest.h>

#include <atomic>
#include <vector>

namespace sightline::base {
namespace {

TEST(ParallelForTest, EveryPieceIsDoneOnce) {
  for (const int threads : {0, 1, 2, 5}) {
    for (const std::size_t count : {std::size_t{0}, std::size_t{1}, std::size_t{1000}}) {
      std::vector<std::atomic<int>> done(count);
      const Status status = ParallelFor(count, threads, [&](std::size_t i) {
        ++done[i];
        return OkStatus();
      });
      EXPECT_TRUE(status.ok());
      for (const auto& times : done) EXPECT_EQ(times, 1);
    }
  }
}

TEST(ParallelForTest, AFailureEndsTheWork) {
  for (const int threads : {1, 3}) {
    std::atomic<int> begun = 0;
    const Status status = ParallelFor(1'000'000, threads, [&](std::size_t i) {
      ++begun;
      return i == 5 ? InvalidArgument("piece 5") : OkStatus();
    });
    EXPECT_EQ(status.message(), "piece 5");
    EXPECT_LT(begun, 1'000'000);
  }
}

}  // namespace
}  // namespace sightline::base
