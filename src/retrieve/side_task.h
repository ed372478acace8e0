// A piece of a search that runs beside the rest of it.
#pragma once

#include <functional>
#include <future>
#include <memory>
#include <utility>

#include "base/thread_pool.h"

namespace sightline::retrieve {

/// Runs `work` on a thread of `pool`, or at once when all of them are busy with more than can wait.
/// `work` owns what it uses, or the caller waits for the future before that goes.
template <typename T>
std::future<T> RunBeside(base::ThreadPool& pool, std::function<T()> work) {
  auto task = std::make_shared<std::packaged_task<T()>>(std::move(work));
  std::future<T> result = task->get_future();
  if (!pool.TrySubmit([task] { (*task)(); }).ok()) (*task)();
  return result;
}

}  // namespace sightline::retrieve
