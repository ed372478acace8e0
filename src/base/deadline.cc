#include "base/deadline.h"

#include <algorithm>

namespace sightline::base {

Status CancelToken::Check() const {
  if (IsCancelled()) return Cancelled("the request was cancelled");
  if (deadline_.has_value() && clock_->Now() >= *deadline_) {
    return DeadlineExceeded("the request took longer than its deadline");
  }
  return OkStatus();
}

std::chrono::nanoseconds CancelToken::remaining() const {
  if (!deadline_.has_value()) return std::chrono::hours(1);
  return std::max<std::chrono::nanoseconds>(*deadline_ - clock_->Now(),
                                            std::chrono::nanoseconds(0));
}

CancelToken CancelToken::WithDeadline(MonotonicTime deadline, const Clock& clock) const {
  CancelToken token = *this;
  if (!deadline_.has_value() || deadline < *deadline_) {
    token.deadline_ = deadline;
    token.clock_ = &clock;
  }
  return token;
}

}  // namespace sightline::base
