#include "base/deadline.h"

#include <algorithm>

namespace sightline::base {

Deadline Deadline::After(std::chrono::nanoseconds timeout, const Clock& clock) {
  Deadline deadline;
  deadline.clock_ = &clock;
  deadline.at_ = clock.Now() + std::chrono::duration_cast<MonotonicTime::duration>(timeout);
  return deadline;
}

Deadline Deadline::Earlier(const Deadline& a, const Deadline& b) {
  if (a.infinite()) return b;
  if (b.infinite()) return a;
  return *a.at_ <= *b.at_ ? a : b;
}

std::chrono::nanoseconds Deadline::remaining() const {
  if (!at_.has_value()) return std::chrono::hours(1);
  return std::max<std::chrono::nanoseconds>(*at_ - clock_->Now(), std::chrono::nanoseconds(0));
}

Status CancelToken::Check() const {
  if (stop_.stop_requested()) return Cancelled("cancelled by the caller");
  if (deadline_.expired()) return DeadlineExceeded("the deadline has passed");
  return OkStatus();
}

CancelToken CancelToken::WithDeadline(const Deadline& deadline) const {
  return {stop_, Deadline::Earlier(deadline_, deadline)};
}

}  // namespace sightline::base
