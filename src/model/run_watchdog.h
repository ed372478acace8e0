// Stops model runs whose request was cancelled or is past its deadline.
#pragma once

#include <condition_variable>
#include <cstdint>
#include <functional>
#include <map>
#include <mutex>
#include <thread>

#include "base/deadline.h"

namespace sightline::model {

/// One thread that looks at the cancel tokens of all runs in flight every few milliseconds; it
/// sleeps while there are none. Thread-safe.
class RunWatchdog {
 public:
  /// The process-wide instance.
  static RunWatchdog& Instance();

  /// Watches from construction to destruction; `stop` is called at most once, on the watchdog's
  /// thread, and never after the destructor has returned.
  class Watch {
   public:
    Watch(const base::CancelToken& cancel, std::function<void()> stop);
    ~Watch();
    Watch(const Watch&) = delete;
    Watch& operator=(const Watch&) = delete;

   private:
    std::uint64_t id_;
  };

 private:
  struct Entry {
    base::CancelToken cancel;
    std::function<void()> stop;
  };

  RunWatchdog();
  ~RunWatchdog();
  void Loop();

  std::mutex mutex_;
  std::condition_variable changed_;
  std::map<std::uint64_t, Entry> entries_;  // guarded by mutex_
  std::uint64_t next_id_ = 1;               // guarded by mutex_
  bool stopping_ = false;                   // guarded by mutex_
  std::thread thread_;
};

}  // namespace sightline::model
