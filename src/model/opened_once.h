// A thing that is opened when it is first asked for.
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <utility>

#include "base/mutex.h"
#include "base/result.h"

namespace sightline::model {

/// Opens at the first `Get`; the others wait for it and share the outcome, a failure too.
/// Thread-safe.
template <typename T>
class OpenedOnce {
 public:
  using Open = std::function<base::Result<std::shared_ptr<T>>()>;

  /// `open` runs at the first `Get`.
  explicit OpenedOnce(Open open) : open_(std::move(open)) {}

  /// What `open` gave.
  base::Result<std::shared_ptr<T>> Get() SIGHTLINE_EXCLUDES(mutex_) {
    const base::MutexLock lock(mutex_);
    if (!result_) result_.emplace(open_());
    return *result_;
  }

 private:
  const Open open_;
  base::Mutex mutex_;
  std::optional<base::Result<std::shared_ptr<T>>> result_ SIGHTLINE_GUARDED_BY(mutex_);
};

}  // namespace sightline::model
