// Remembers that the disk failed, so that nothing more is written to it.
#pragma once

#include "base/mutex.h"
#include "base/status.h"

namespace sightline::store {

/// After an I/O error, above all of fsync, what the kernel still holds may be lost without another
/// error, so a store that met one writes nothing any more until the program starts again. A full
/// disk is no such error. Thread-safe.
class WriteStop {
 public:
  /// Ok, or why writing stopped.
  base::Status Check() const {
    const base::MutexLock lock(mutex_);
    return stopped_;
  }

  /// Returns `status`; when it is an I/O error, writing stops.
  base::Status Note(base::Status status) {
    if (status.code() != base::StatusCode::kIo) return status;
    const base::MutexLock lock(mutex_);
    if (stopped_.ok()) stopped_ = status.WithContext("writing has stopped after an error");
    return status;
  }

 private:
  mutable base::Mutex mutex_;
  base::Status stopped_ SIGHTLINE_GUARDED_BY(mutex_);
};

}  // namespace sightline::store
