#include "base/thread_pool.h"

#include <pthread.h>

#include <optional>

#include "base/check.h"

namespace sightline::base {

void SetThreadName(const std::string& name) {
  // 15 bytes is the kernel's bound; over it the call fails and names nothing.
  CHECK(pthread_setname_np(pthread_self(), name.substr(0, 15).c_str()) == 0, name);
}

ThreadPool::ThreadPool(const ThreadPoolOptions& options)
    : name_(options.name), queue_(options.queue_capacity) {
  CHECK(options.threads > 0, options.name);
  threads_.reserve(options.threads);
  for (size_t i = 0; i < options.threads; ++i) {
    threads_.emplace_back([this, name = name_ + "-" + std::to_string(i)] { Run(name); });
  }
}

ThreadPool::~ThreadPool() { Shutdown(); }

Status ThreadPool::Submit(Task task, const CancelToken& cancel) {
  return queue_.Push(std::move(task), cancel).WithContext("thread pool " + name_);
}

Status ThreadPool::TrySubmit(Task task) {
  if (queue_.TryPush(task)) return OkStatus();
  return ResourceExhausted("too much is waiting already: thread pool " + name_);
}

void ThreadPool::Shutdown() {
  queue_.Close();
  for (std::thread& thread : threads_) {
    if (thread.joinable()) thread.join();
  }
}

void ThreadPool::Run(const std::string& name) {
  SetThreadName(name);
  for (;;) {
    // Without a token only closing ends the wait, so there is always a value.
    std::optional<Task> task = *queue_.Pop();
    if (!task.has_value()) return;
    (*task)();
  }
}

}  // namespace sightline::base
