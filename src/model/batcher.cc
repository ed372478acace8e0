#include "model/batcher.h"

#include <algorithm>
#include <numeric>
#include <string>
#include <utility>

#include "base/thread_pool.h"

namespace sightline::model {
namespace {

constexpr std::chrono::milliseconds kLongestWait(10);
/// How often a waiting caller looks at its cancel token.
constexpr std::chrono::milliseconds kCancelPeriod(10);

}  // namespace

/// One call of `Run`: its texts and where their embeddings go. Its inputs are a copy, because the
/// caller may leave while a worker still reads them.
struct Batcher::Call {
  std::vector<TextInput> inputs;
  std::vector<std::optional<base::Result<TextEmbedding>>> results;
  std::size_t missing = 0;
  base::CancelToken cancel;
};

Batcher::Batcher(const BatcherOptions& options, Execute execute)
    : options_(options), execute_(std::move(execute)) {
  for (std::size_t i = 0; i < std::max<std::size_t>(1, options_.workers); ++i) {
    threads_.emplace_back([this, i] {
      base::SetThreadName("text-" + std::to_string(i));
      Work();
    });
  }
}

Batcher::~Batcher() {
  std::vector<Item> left;
  {
    const base::MutexLock lock(mutex_);
    stopping_ = true;
    left.assign(queries_.begin(), queries_.end());
    left.insert(left.end(), passages_.begin(), passages_.end());
    queries_.clear();
    passages_.clear();
  }
  for (const Item& item : left) Finish(item, base::Unavailable("the encoder is shutting down"));
  work_.NotifyAll();
  for (std::thread& thread : threads_) thread.join();
}

base::Result<std::vector<TextEmbedding>> Batcher::Run(std::span<const TextInput> inputs,
                                                      std::span<const std::size_t> tokens,
                                                      const base::CancelToken& cancel) {
  SIGHTLINE_RETURN_IF_ERROR(cancel.Check());
  if (inputs.size() != tokens.size()) {
    return base::InvalidArgument("the batcher needs one token count a text");
  }
  const auto call = std::make_shared<Call>();
  call->inputs.assign(inputs.begin(), inputs.end());
  call->results.resize(inputs.size());
  call->missing = inputs.size();
  call->cancel = cancel;
  const std::size_t cost = std::accumulate(tokens.begin(), tokens.end(), std::size_t{0});
  const auto now = std::chrono::steady_clock::now();

  const base::MutexLock lock(mutex_);
  if (stopping_) return base::Unavailable("the encoder is shutting down");
  if (waiting_tokens_ > 0 && waiting_tokens_ + cost > options_.max_waiting_tokens) {
    return base::ResourceExhausted("too many texts wait to be encoded; try again later");
  }
  waiting_tokens_ += cost;
  for (std::size_t i = 0; i < inputs.size(); ++i) {
    (inputs[i].role == TextRole::kQuery ? queries_ : passages_)
        .push_back({call, i, tokens[i], now});
  }
  work_.NotifyAll();
  while (call->missing > 0) {
    SIGHTLINE_RETURN_IF_ERROR(cancel.Check());
    done_.WaitFor(mutex_, kCancelPeriod);
  }
  std::vector<TextEmbedding> embeddings;
  for (auto& result : call->results) {
    if (!result->ok()) return result->status();
    embeddings.push_back(*std::move(*result));
  }
  return embeddings;
}

std::size_t Batcher::waiting_tokens() {
  const base::MutexLock lock(mutex_);
  return waiting_tokens_;
}

void Batcher::Work() {
  while (true) {
    std::vector<Item> batch;
    {
      const base::MutexLock lock(mutex_);
      while (!stopping_ && !ReadyToStart()) {
      }
      if (stopping_) return;
      batch = TakeBatch();
    }
    if (!batch.empty()) RunBatch(std::move(batch));
  }
}

bool Batcher::ReadyToStart() {
  if (queries_.empty() && passages_.empty()) {
    work_.Wait(mutex_);
    return false;
  }
  if (waiting_tokens_ >= options_.min_batch_tokens) return true;
  const auto arrived =
      std::min(queries_.empty() ? passages_.front().arrived : queries_.front().arrived,
               passages_.empty() ? queries_.front().arrived : passages_.front().arrived);
  const auto start = arrived + std::min(options_.max_wait, kLongestWait);
  const auto now = std::chrono::steady_clock::now();
  if (now >= start) return true;
  work_.WaitFor(mutex_, start - now);
  return false;
}

std::vector<Batcher::Item> Batcher::TakeBatch() {
  std::vector<Item> batch;
  std::size_t tokens = 0;
  TakeFrom(&queries_, &tokens, &batch);
  // Queries do not wait for the passages of a batch.
  if (batch.empty()) TakeFrom(&passages_, &tokens, &batch);
  return batch;
}

void Batcher::TakeFrom(std::deque<Item>* queue, std::size_t* tokens, std::vector<Item>* batch) {
  // Workers share what waits, so that one does not take all and leave the others idle.
  const std::size_t share = std::max<std::size_t>(1, waiting_tokens_ / threads_.size());
  const std::size_t budget = std::min(options_.max_batch_tokens, share);
  while (!queue->empty() && batch->size() < options_.max_batch_items) {
    const Item& next = queue->front();
    const bool dropped = !next.call->cancel.Check().ok();
    if (!dropped && !batch->empty() && *tokens + next.tokens > budget) break;
    waiting_tokens_ -= next.tokens;
    if (!dropped) {
      *tokens += next.tokens;
      batch->push_back(next);
    }
    queue->pop_front();
  }
}

void Batcher::RunBatch(std::vector<Item> batch) {
  std::vector<TextInput> inputs;
  for (const Item& item : batch) inputs.push_back(item.call->inputs[item.index]);
  // Only a batch of one call can be stopped: the others still wait for theirs.
  const bool one_call =
      std::ranges::all_of(batch, [&](const Item& item) { return item.call == batch.front().call; });
  auto results = execute_(inputs, one_call ? batch.front().call->cancel : base::CancelToken());
  if (results.ok() && results->size() == batch.size()) {
    for (std::size_t i = 0; i < batch.size(); ++i) Finish(batch[i], std::move((*results)[i]));
    return;
  }
  if (batch.size() == 1) {
    Finish(batch[0], results.ok() ? base::DataLoss("the encoder returned another number of vectors")
                                  : results.status());
    return;
  }
  for (const Item& item : batch) RunAlone(item);
}

void Batcher::RunAlone(const Item& item) {
  base::Status status = item.call->cancel.Check();
  if (status.ok()) {
    auto results = execute_(std::span(&item.call->inputs[item.index], 1), item.call->cancel);
    if (results.ok() && results->size() == 1) {
      Finish(item, std::move((*results)[0]));
      return;
    }
    status = results.ok() ? base::DataLoss("the encoder returned another number of vectors")
                          : results.status();
  }
  Finish(item, status);
}

void Batcher::Finish(const Item& item, base::Result<TextEmbedding> result) {
  {
    const base::MutexLock lock(mutex_);
    item.call->results[item.index] = std::move(result);
    --item.call->missing;
  }
  done_.NotifyAll();
}

}  // namespace sightline::model
