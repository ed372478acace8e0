#include "base/parallel_for.h"

#include <algorithm>
#include <atomic>
#include <thread>
#include <vector>

#include "base/mutex.h"

namespace sightline::base {

Status ParallelFor(std::size_t count, int threads, const std::function<Status(std::size_t)>& work) {
  std::atomic<std::size_t> next = 0;
  Mutex mutex;
  Status failure;
  const auto loop = [&] {
    for (std::size_t i = next++; i < count; i = next++) {
      const Status status = work(i);
      if (status.ok()) continue;
      const MutexLock lock(mutex);
      failure = status;
      next = count;
    }
  };
  const auto useful = std::min(count, static_cast<std::size_t>(std::max(threads, 1)));
  std::vector<std::thread> others;
  for (std::size_t i = 1; i < useful; ++i) others.emplace_back(loop);
  loop();
  for (std::thread& other : others) other.join();
  return failure;
}

}  // namespace sightline::base
