// Cancellation and deadlines that travel with a request.
#pragma once

#include <atomic>
#include <chrono>
#include <memory>
#include <optional>

#include "base/status.h"

namespace sightline::base {

/// Tells work that nobody waits for it any more. Copies share one state. Thread-safe.
class CancelToken {
 public:
  /// Never cancelled, no deadline.
  CancelToken() : state_(std::make_shared<State>()) {}
  /// Expires at `deadline` (monotonic).
  explicit CancelToken(std::chrono::steady_clock::time_point deadline)
      : state_(std::make_shared<State>()) {
    state_->deadline = deadline;
  }

  void Cancel() const { state_->cancelled.store(true, std::memory_order_release); }
  bool IsCancelled() const { return state_->cancelled.load(std::memory_order_acquire); }
  std::optional<std::chrono::steady_clock::time_point> deadline() const { return state_->deadline; }

  /// Ok, `kCancelled` or `kDeadlineExceeded`: called between steps of long work.
  Status Check() const {
    if (IsCancelled()) return Cancelled("the request was cancelled");
    if (state_->deadline && std::chrono::steady_clock::now() >= *state_->deadline) {
      return DeadlineExceeded("the request took longer than its deadline");
    }
    return OkStatus();
  }

 private:
  struct State {
    std::atomic<bool> cancelled{false};
    std::optional<std::chrono::steady_clock::time_point> deadline;
  };
  std::shared_ptr<State> state_;
};

}  // namespace sightline::base
