// Sharing a counted piece of work among threads.
#pragma once

#include <cstddef>
#include <functional>

#include "base/status.h"

namespace sightline::base {

/// Runs `work(i)` for every i below `count`, each once, on `threads` threads of which the calling
/// one is the first; returns when all have ended. After a failure no further i is begun, and the
/// failure is returned (one of them where several fail). `work` must be thread-safe.
Status ParallelFor(std::size_t count, int threads, const std::function<Status(std::size_t)>& work);

}  // namespace sightline::base
