// A piece of a search that runs beside the rest of it.
#pragma once

#include <cstddef>
#include <functional>
#include <future>
#include <memory>
#include <utility>
#include <vector>

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

/// Runs `work(part)` for each part from 0 to `parts` - 1, the first on the calling thread and the
/// others beside it, and returns when all have ended.
inline void RunParts(base::ThreadPool& pool, std::size_t parts,
                     const std::function<void(std::size_t part)>& work) {
  std::vector<std::future<void>> others;
  for (std::size_t part = 1; part < parts; ++part) {
    others.push_back(RunBeside<void>(pool, [&work, part] { work(part); }));
  }
  work(0);
  for (std::future<void>& other : others) other.get();
}

}  // namespace sightline::retrieve
