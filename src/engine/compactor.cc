#include "engine/compactor.h"

#include <malloc.h>
#include <spdlog/spdlog.h>

#include "base/thread_pool.h"
#include "store/compaction.h"

namespace sightline::engine {

using base::Status;

void Compactor::Start() {
  thread_ = std::thread([this] { Loop(); });
}

void Compactor::Stop() {
  stop_.Cancel();
  {
    const base::MutexLock lock(mutex_);
    changed_.NotifyAll();
  }
  if (thread_.joinable()) thread_.join();
}

void Compactor::Wake(const std::string& collection) {
  const base::MutexLock lock(mutex_);
  waiting_.insert(collection);
  changed_.NotifyAll();
}

void Compactor::Loop() {
  base::SetThreadName("compact");
  while (true) {
    std::string collection;
    {
      const base::MutexLock lock(mutex_);
      while (waiting_.empty() && !stop_.IsCancelled()) changed_.Wait(mutex_);
      if (stop_.IsCancelled()) return;
      collection = *waiting_.begin();
      waiting_.erase(waiting_.begin());
    }
    const Status status = store::CompactCollection(collection, catalog_, vectors_, stop_);
    // What learning a codebook took is wanted by nobody now.
    malloc_trim(0);
    // Compaction only saves space and time: the old segments go on serving.
    if (!status.ok() && !stop_.IsCancelled()) {
      spdlog::warn("cannot compact: collection={} {}", collection, status.ToString());
    }
  }
}

}  // namespace sightline::engine
