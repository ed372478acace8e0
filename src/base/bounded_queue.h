// A bounded queue between threads: a full one stops the producer, so a slow stage stops the ones
// before it.
#pragma once

#include <cstddef>
#include <deque>
#include <optional>
#include <stop_token>
#include <utility>

#include "base/check.h"
#include "base/deadline.h"
#include "base/mutex.h"
#include "base/result.h"

namespace sightline::base {

/// First in, first out, at most `capacity` items. Thread-safe for any number of producers and
/// consumers.
template <typename T>
class BoundedQueue {
 public:
  explicit BoundedQueue(size_t capacity) : capacity_(capacity) { CHECK(capacity > 0); }

  /// Waits for room. kFailedPrecondition once closed; kCancelled or kDeadlineExceeded of `cancel`.
  Status Push(T item, const CancelToken& cancel = {}) {
    const std::stop_callback wake(cancel.stop_token(), [this] { WakeAll(); });
    MutexLock lock(mutex_);
    while (!closed_ && items_.size() >= capacity_) {
      SIGHTLINE_RETURN_IF_ERROR(cancel.Check());
      not_full_.WaitFor(mutex_, cancel.remaining());
    }
    if (closed_) return FailedPrecondition("the queue is closed");
    items_.push_back(std::move(item));
    not_empty_.NotifyOne();
    return OkStatus();
  }

  /// Takes `item` when there is room now; leaves it alone and returns false otherwise.
  bool TryPush(T& item) {
    MutexLock lock(mutex_);
    if (closed_ || items_.size() >= capacity_) return false;
    items_.push_back(std::move(item));
    not_empty_.NotifyOne();
    return true;
  }

  /// Waits for an item; nullopt once the queue is closed and empty.
  Result<std::optional<T>> Pop(const CancelToken& cancel = {}) {
    const std::stop_callback wake(cancel.stop_token(), [this] { WakeAll(); });
    MutexLock lock(mutex_);
    while (!closed_ && items_.empty()) {
      SIGHTLINE_RETURN_IF_ERROR(cancel.Check());
      not_empty_.WaitFor(mutex_, cancel.remaining());
    }
    return TakeFront();
  }

  /// An item that is there now, or nullopt.
  std::optional<T> TryPop() {
    MutexLock lock(mutex_);
    return TakeFront();
  }

  /// No item gets in any more; those inside can still be taken. Wakes everyone who waits.
  void Close() {
    {
      MutexLock lock(mutex_);
      closed_ = true;
    }
    not_full_.NotifyAll();
    not_empty_.NotifyAll();
  }

  size_t size() const {
    MutexLock lock(mutex_);
    return items_.size();
  }
  size_t capacity() const { return capacity_; }

 private:
  std::optional<T> TakeFront() SIGHTLINE_REQUIRES(mutex_) {
    if (items_.empty()) return std::nullopt;
    std::optional<T> item(std::move(items_.front()));
    items_.pop_front();
    not_full_.NotifyOne();
    return item;
  }

  void WakeAll() {
    // Taking the mutex orders this after the waiter's last look at its token.
    { MutexLock lock(mutex_); }
    not_full_.NotifyAll();
    not_empty_.NotifyAll();
  }

  const size_t capacity_;
  mutable Mutex mutex_;
  CondVar not_full_;
  CondVar not_empty_;
  std::deque<T> items_ SIGHTLINE_GUARDED_BY(mutex_);
  bool closed_ SIGHTLINE_GUARDED_BY(mutex_) = false;
};

}  // namespace sightline::base
