// A fixed number of named threads that run tasks from a bounded queue.
#pragma once

#include <cstddef>
#include <functional>
#include <string>
#include <thread>
#include <vector>

#include "base/bounded_queue.h"
#include "base/deadline.h"
#include "base/status.h"

namespace sightline::base {

/// Names the calling thread as `top` and `gdb` show it; the kernel keeps the first 15 bytes.
void SetThreadName(const std::string& name);

/// How large a pool is.
struct ThreadPoolOptions {
  /// Threads are called `name-0`, `name-1` …
  std::string name;
  size_t threads = 1;
  /// Tasks that may wait; more make `Submit` wait and `TrySubmit` refuse.
  size_t queue_capacity = 256;
};

/// Runs tasks. Thread-safe. A task must not throw and must not wait for another task of its pool.
class ThreadPool {
 public:
  using Task = std::function<void()>;

  explicit ThreadPool(const ThreadPoolOptions& options);
  /// Runs what was submitted, then joins.
  ~ThreadPool();
  ThreadPool(const ThreadPool&) = delete;
  ThreadPool& operator=(const ThreadPool&) = delete;

  /// Waits for room in the queue. Fails as BoundedQueue::Push does; then the task never runs.
  Status Submit(Task task, const CancelToken& cancel = {});
  /// kResourceExhausted at once when the queue is full.
  Status TrySubmit(Task task);
  /// Takes no more tasks, runs those that wait, joins. Not from a task of this pool. Idempotent.
  void Shutdown();

  /// Tasks that wait for a thread.
  size_t waiting() const { return queue_.size(); }
  size_t thread_count() const { return threads_.size(); }

 private:
  void Run(const std::string& name);

  const std::string name_;
  BoundedQueue<Task> queue_;
  std::vector<std::thread> threads_;
};

}  // namespace sightline::base
