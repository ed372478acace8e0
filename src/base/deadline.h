// Cancellation and deadlines that travel with a request: how work learns that nobody waits for it.
#pragma once

#include <chrono>
#include <optional>
#include <stop_token>

#include "base/clock.h"
#include "base/status.h"

namespace sightline::base {

/// Tells work that nobody waits for it any more: the caller cancelled, or a deadline passed. Copies
/// share one cancellation. Thread-safe.
class CancelToken {
 public:
  /// Never cancelled unless `Cancel` is called; no deadline.
  CancelToken() = default;
  /// Expires at `deadline` of `clock`, which must live longer.
  explicit CancelToken(MonotonicTime deadline, const Clock& clock = SystemClock())
      : deadline_(deadline), clock_(&clock) {}
  /// Expires `timeout` from now on `clock`.
  static CancelToken After(std::chrono::nanoseconds timeout, const Clock& clock = SystemClock()) {
    return CancelToken(clock.Now() + timeout, clock);
  }

  /// Tells all copies; cannot be taken back.
  void Cancel() const { std::stop_source(stop_).request_stop(); }
  /// Whether `Cancel` was called; says nothing about the deadline.
  bool IsCancelled() const { return stop_.stop_requested(); }
  std::optional<MonotonicTime> deadline() const { return deadline_; }

  /// Ok, `kCancelled` or `kDeadlineExceeded`: called between steps of long work.
  Status Check() const;
  /// Time until the deadline, never negative; an hour without one, so that waiters look again.
  std::chrono::nanoseconds remaining() const;
  /// The same cancellation with this deadline (of the same clock), if it is the earlier one.
  CancelToken WithDeadline(MonotonicTime deadline, const Clock& clock = SystemClock()) const;
  /// For std::stop_callback: called on `Cancel`, not when the deadline passes.
  std::stop_token stop_token() const { return stop_.get_token(); }

 private:
  std::stop_source stop_;
  std::optional<MonotonicTime> deadline_;
  const Clock* clock_ = nullptr;
};

}  // namespace sightline::base
