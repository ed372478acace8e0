#include "model/run_watchdog.h"

#include <chrono>
#include <utility>

namespace sightline::model {
namespace {

constexpr std::chrono::milliseconds kPeriod(5);

}  // namespace

RunWatchdog& RunWatchdog::Instance() {
  static RunWatchdog watchdog;
  return watchdog;
}

RunWatchdog::RunWatchdog() : thread_([this] { Loop(); }) {}

RunWatchdog::~RunWatchdog() {
  {
    const std::lock_guard lock(mutex_);
    stopping_ = true;
  }
  changed_.notify_all();
  thread_.join();
}

void RunWatchdog::Loop() {
  std::unique_lock lock(mutex_);
  while (!stopping_) {
    if (entries_.empty()) {
      changed_.wait(lock);
      continue;
    }
    for (auto& [id, entry] : entries_) {
      if (entry.stop && !entry.cancel.Check().ok()) {
        // Called under the lock, so that a Watch cannot end in the middle of it.
        entry.stop();
        entry.stop = nullptr;
      }
    }
    changed_.wait_for(lock, kPeriod);
  }
}

RunWatchdog::Watch::Watch(const base::CancelToken& cancel, std::function<void()> stop) {
  RunWatchdog& watchdog = Instance();
  bool was_empty = false;
  {
    const std::lock_guard lock(watchdog.mutex_);
    id_ = watchdog.next_id_++;
    was_empty = watchdog.entries_.empty();
    watchdog.entries_.emplace(id_, Entry{cancel, std::move(stop)});
  }
  if (was_empty) watchdog.changed_.notify_all();
}

RunWatchdog::Watch::~Watch() {
  RunWatchdog& watchdog = Instance();
  const std::lock_guard lock(watchdog.mutex_);
  watchdog.entries_.erase(id_);
}

}  // namespace sightline::model
