// Puts texts of many callers together, so that a few workers keep the encoder busy.
#pragma once

#include <chrono>
#include <cstddef>
#include <deque>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <thread>
#include <vector>

#include "base/deadline.h"
#include "base/mutex.h"
#include "base/result.h"
#include "model/encoder.h"

namespace sightline::model {

/// How a batcher fills and bounds its batches.
struct BatcherOptions {
  /// Batches that run at the same time.
  std::size_t workers = 1;
  /// A batch takes texts until their tokens reach this; a longer text runs alone.
  std::size_t max_batch_tokens = 1024;
  std::size_t max_batch_items = 64;
  /// Tokens that may wait; a call that finds more is refused.
  std::size_t max_waiting_tokens = 1 << 20;
  /// A free worker starts at once when at least this many tokens wait, and otherwise when the
  /// oldest text has waited for `max_wait`. 0: always at once.
  std::size_t min_batch_tokens = 0;
  /// At most 10 ms; more is taken as 10 ms.
  std::chrono::milliseconds max_wait{10};
};

/// A dynamic batcher. Queries go before passages. A text whose caller gave up is dropped; when a
/// batch fails, its texts run one by one, so that a bad one fails alone. Thread-safe.
class Batcher {
 public:
  /// Encodes one batch; called by the workers, at the same time.
  using Execute = std::function<base::Result<std::vector<TextEmbedding>>(std::span<const TextInput>,
                                                                         const base::CancelToken&)>;

  Batcher(const BatcherOptions& options, Execute execute);
  /// Fails what waits (`kUnavailable`), finishes what runs.
  ~Batcher();
  Batcher(const Batcher&) = delete;
  Batcher& operator=(const Batcher&) = delete;

  /// One embedding an input, in order, or the failure of the first input that failed. `tokens` has
  /// one cost an input. Returns soon after `cancel` fires. `kResourceExhausted` when too much
  /// waits.
  base::Result<std::vector<TextEmbedding>> Run(std::span<const TextInput> inputs,
                                               std::span<const std::size_t> tokens,
                                               const base::CancelToken& cancel);

  /// Tokens that wait for a worker.
  std::size_t waiting_tokens() SIGHTLINE_EXCLUDES(mutex_);

 private:
  struct Call;
  struct Item {
    std::shared_ptr<Call> call;
    std::size_t index = 0;
    std::size_t tokens = 0;
    std::chrono::steady_clock::time_point arrived;
  };

  void Work();
  std::vector<Item> TakeBatch() SIGHTLINE_REQUIRES(mutex_);
  void TakeFrom(std::deque<Item>* queue, std::size_t* tokens, std::vector<Item>* batch)
      SIGHTLINE_REQUIRES(mutex_);
  /// Waits for more texts; false when the worker has to look again.
  bool ReadyToStart() SIGHTLINE_REQUIRES(mutex_);
  void RunBatch(std::vector<Item> batch);
  void RunAlone(const Item& item);
  void Finish(const Item& item, base::Result<TextEmbedding> result);

  const BatcherOptions options_;
  const Execute execute_;

  base::Mutex mutex_;
  base::CondVar work_;
  base::CondVar done_;
  std::deque<Item> queries_ SIGHTLINE_GUARDED_BY(mutex_);
  std::deque<Item> passages_ SIGHTLINE_GUARDED_BY(mutex_);
  std::size_t waiting_tokens_ SIGHTLINE_GUARDED_BY(mutex_) = 0;
  bool stopping_ SIGHTLINE_GUARDED_BY(mutex_) = false;

  std::vector<std::thread> threads_;
};

}  // namespace sightline::model
