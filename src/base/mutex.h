// Mutex, lock and condition variable with clang's thread-safety annotations.
#pragma once

#include <chrono>
#include <condition_variable>
#include <mutex>

#if defined(__clang__)
#define SIGHTLINE_THREAD_ANNOTATION(x) __attribute__((x))
#else
#define SIGHTLINE_THREAD_ANNOTATION(x)
#endif

/// The member may be touched only while `mutex` is held.
#define SIGHTLINE_GUARDED_BY(mutex) SIGHTLINE_THREAD_ANNOTATION(guarded_by(mutex))
/// What the pointer member points to may be touched only while `mutex` is held.
#define SIGHTLINE_PT_GUARDED_BY(mutex) SIGHTLINE_THREAD_ANNOTATION(pt_guarded_by(mutex))
/// The function must be called with the mutex held.
#define SIGHTLINE_REQUIRES(...) SIGHTLINE_THREAD_ANNOTATION(requires_capability(__VA_ARGS__))
/// The function must be called with the mutex not held.
#define SIGHTLINE_EXCLUDES(...) SIGHTLINE_THREAD_ANNOTATION(locks_excluded(__VA_ARGS__))

namespace sightline::base {

class CondVar;

/// A std::mutex that clang can reason about.
class SIGHTLINE_THREAD_ANNOTATION(capability("mutex")) Mutex {
 public:
  Mutex() = default;
  Mutex(const Mutex&) = delete;
  Mutex& operator=(const Mutex&) = delete;

  void Lock() SIGHTLINE_THREAD_ANNOTATION(acquire_capability()) { mutex_.lock(); }
  void Unlock() SIGHTLINE_THREAD_ANNOTATION(release_capability()) { mutex_.unlock(); }

 private:
  friend class CondVar;
  std::mutex mutex_;
};

/// Holds a Mutex for a scope.
class SIGHTLINE_THREAD_ANNOTATION(scoped_lockable) MutexLock {
 public:
  explicit MutexLock(Mutex& mutex) SIGHTLINE_THREAD_ANNOTATION(acquire_capability(mutex))
      : mutex_(mutex) {
    mutex_.Lock();
  }
  ~MutexLock() SIGHTLINE_THREAD_ANNOTATION(release_capability()) { mutex_.Unlock(); }
  MutexLock(const MutexLock&) = delete;
  MutexLock& operator=(const MutexLock&) = delete;

 private:
  Mutex& mutex_;
};

/// A condition variable for one Mutex. Waits may wake for no reason: wait in a loop.
class CondVar {
 public:
  /// Releases `mutex`, waits to be notified, takes it again.
  void Wait(Mutex& mutex) SIGHTLINE_REQUIRES(mutex) {
    std::unique_lock<std::mutex> lock(mutex.mutex_, std::adopt_lock);
    condition_.wait(lock);
    lock.release();
  }
  /// As Wait, for at most `timeout`; false when that passed first.
  bool WaitFor(Mutex& mutex, std::chrono::nanoseconds timeout) SIGHTLINE_REQUIRES(mutex) {
    std::unique_lock<std::mutex> lock(mutex.mutex_, std::adopt_lock);
    const bool notified = condition_.wait_for(lock, timeout) == std::cv_status::no_timeout;
    lock.release();
    return notified;
  }
  /// Wakes one of those who wait.
  void NotifyOne() { condition_.notify_one(); }
  /// Wakes all who wait.
  void NotifyAll() { condition_.notify_all(); }

 private:
  std::condition_variable condition_;
};

}  // namespace sightline::base
