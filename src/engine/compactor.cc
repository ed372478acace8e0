#include "engine/compactor.h"

#include <spdlog/spdlog.h>
#include "base/thread_pool.h"

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
    const Status status = Compact(collection);
    // Compaction only saves space and time: the old segments go on serving.
    if (!status.ok() && !stop_.IsCancelled()) {
      spdlog::warn("cannot compact: collection={} {}", collection, status.ToString());
    }
  }
}

Status Compactor::Compact(const std::string& collection) {
  SIGHTLINE_ASSIGN_OR_RETURN(const auto snapshot, catalog_.GetSnapshot(collection));
  SIGHTLINE_ASSIGN_OR_RETURN(const auto merges, vectors_.Compact(*snapshot, stop_));
  for (const store::VectorStore::Merge& merge : merges) {
    SIGHTLINE_RETURN_IF_ERROR(catalog_.ReplaceSegments(merge.replaced, merge.merged));
    SIGHTLINE_RETURN_IF_ERROR(vectors_.Retire(merge.replaced));
  }
  return base::OkStatus();
}

}  // namespace sightline::engine
