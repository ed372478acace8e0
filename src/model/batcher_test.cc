#include "model/batcher.h"

#include <gtest/gtest.h>

#include <condition_variable>
#include <mutex>
#include <string>
#include <thread>

namespace sightline::model {
namespace {

/// Encodes a text as the number of its bytes; fails a batch that holds "bad"; can be held.
class FakeExecutor {
 public:
  base::Result<std::vector<TextEmbedding>> Run(std::span<const TextInput> inputs,
                                               const base::CancelToken&) {
    std::unique_lock lock(mutex_);
    std::vector<std::string> texts;
    for (const TextInput& input : inputs) texts.push_back(input.text);
    batches_.push_back(texts);
    started_.notify_all();
    released_.wait(lock, [&] { return !held_; });
    std::vector<TextEmbedding> results;
    for (const TextInput& input : inputs) {
      if (input.text == "bad") return base::DataLoss("bad text");
      TextEmbedding embedding;
      embedding.sentence = {static_cast<float>(input.text.size())};
      results.push_back(embedding);
    }
    return results;
  }

  void Hold() {
    const std::lock_guard lock(mutex_);
    held_ = true;
  }
  void Release() {
    const std::lock_guard lock(mutex_);
    held_ = false;
    released_.notify_all();
  }
  void WaitForBatches(std::size_t count) {
    std::unique_lock lock(mutex_);
    started_.wait(lock, [&] { return batches_.size() >= count; });
  }
  std::vector<std::vector<std::string>> batches() {
    const std::lock_guard lock(mutex_);
    return batches_;
  }
  Batcher::Execute AsFunction() {
    return [this](std::span<const TextInput> inputs, const base::CancelToken& cancel) {
      return Run(inputs, cancel);
    };
  }

 private:
  std::mutex mutex_;
  std::condition_variable started_;
  std::condition_variable released_;
  bool held_ = false;
  std::vector<std::vector<std::string>> batches_;
};

TextInput Text(std::string text, TextRole role = TextRole::kPassage) {
  return {std::move(text), role, text::Language::kEnglish};
}

base::Result<std::vector<TextEmbedding>> RunOne(Batcher& batcher, TextInput input,
                                                const base::CancelToken& cancel = {}) {
  const std::size_t tokens = 10;
  return batcher.Run(std::span(&input, 1), std::span(&tokens, 1), cancel);
}

TEST(BatcherTest, AnswersInTheOrderOfTheInputs) {
  FakeExecutor executor;
  Batcher batcher({}, executor.AsFunction());
  const std::vector<TextInput> inputs = {Text("a"), Text("水泵"), Text("abc")};
  const std::vector<std::size_t> tokens = {1, 1, 1};
  const auto result = batcher.Run(inputs, tokens, {});
  ASSERT_TRUE(result.ok());
  EXPECT_EQ((*result)[0].sentence[0], 1);
  EXPECT_EQ((*result)[1].sentence[0], 6);
  EXPECT_EQ((*result)[2].sentence[0], 3);
}

TEST(BatcherTest, AFreeWorkerStartsAtOnceAndABusyOneGathers) {
  FakeExecutor executor;
  executor.Hold();
  BatcherOptions options;
  options.max_batch_tokens = 30;
  Batcher batcher(options, executor.AsFunction());
  std::thread first([&] { EXPECT_TRUE(RunOne(batcher, Text("first")).ok()); });
  executor.WaitForBatches(1);
  std::vector<std::thread> others;
  for (int i = 0; i < 4; ++i) {
    others.emplace_back([&] { EXPECT_TRUE(RunOne(batcher, Text("other")).ok()); });
  }
  while (batcher.waiting_tokens() < 40) std::this_thread::yield();
  executor.Release();
  first.join();
  for (std::thread& thread : others) thread.join();
  const auto batches = executor.batches();
  ASSERT_EQ(batches.size(), 3U);
  EXPECT_EQ(batches[0], std::vector<std::string>{"first"});
  EXPECT_EQ(batches[1].size(), 3U);  // 30 tokens of 10 each
  EXPECT_EQ(batches[2].size(), 1U);
}

TEST(BatcherTest, OneBadTextFailsAlone) {
  FakeExecutor executor;
  executor.Hold();
  Batcher batcher({}, executor.AsFunction());
  std::thread blocker([&] { EXPECT_TRUE(RunOne(batcher, Text("blocker")).ok()); });
  executor.WaitForBatches(1);
  std::vector<base::Status> statuses(3);
  std::vector<std::thread> threads;
  const std::vector<std::string> texts = {"good", "bad", "fine"};
  for (std::size_t i = 0; i < 3; ++i) {
    threads.emplace_back([&, i] { statuses[i] = RunOne(batcher, Text(texts[i])).status(); });
  }
  while (batcher.waiting_tokens() < 30) std::this_thread::yield();
  executor.Release();
  blocker.join();
  for (std::thread& thread : threads) thread.join();
  EXPECT_TRUE(statuses[0].ok());
  EXPECT_EQ(statuses[1].code(), base::StatusCode::kDataLoss);
  EXPECT_TRUE(statuses[2].ok());
}

TEST(BatcherTest, ACancelledCallReturnsAndIsNotRun) {
  FakeExecutor executor;
  executor.Hold();
  Batcher batcher({}, executor.AsFunction());
  std::thread blocker([&] { EXPECT_TRUE(RunOne(batcher, Text("blocker")).ok()); });
  executor.WaitForBatches(1);
  const base::CancelToken cancel;
  base::Status status;
  std::thread waiter([&] { status = RunOne(batcher, Text("dropped"), cancel).status(); });
  cancel.Cancel();
  waiter.join();  // returns although the worker is held
  EXPECT_EQ(status.code(), base::StatusCode::kCancelled);
  executor.Release();
  blocker.join();
  EXPECT_TRUE(RunOne(batcher, Text("next")).ok());
  for (const auto& batch : executor.batches()) {
    for (const std::string& text : batch) EXPECT_NE(text, "dropped");
  }
}

TEST(BatcherTest, QueriesGoBeforePassages) {
  FakeExecutor executor;
  executor.Hold();
  Batcher batcher({}, executor.AsFunction());
  std::thread blocker([&] { EXPECT_TRUE(RunOne(batcher, Text("blocker")).ok()); });
  executor.WaitForBatches(1);
  const std::vector<TextInput> inputs = {Text("passage"), Text("查询", TextRole::kQuery)};
  const std::vector<std::size_t> tokens = {1, 1};
  std::thread both([&] { EXPECT_TRUE(batcher.Run(inputs, tokens, {}).ok()); });
  while (batcher.waiting_tokens() < 2) std::this_thread::yield();
  executor.Release();
  blocker.join();
  both.join();
  const auto batches = executor.batches();
  ASSERT_EQ(batches.size(), 3U);
  EXPECT_EQ(batches[1], std::vector<std::string>{"查询"});
  EXPECT_EQ(batches[2], std::vector<std::string>{"passage"});
}

TEST(BatcherTest, TooMuchWaitingIsRefused) {
  FakeExecutor executor;
  executor.Hold();
  BatcherOptions options;
  options.max_waiting_tokens = 15;
  Batcher batcher(options, executor.AsFunction());
  std::thread blocker([&] { EXPECT_TRUE(RunOne(batcher, Text("blocker")).ok()); });
  executor.WaitForBatches(1);
  const std::vector<TextInput> inputs = {Text("a"), Text("b")};
  const std::vector<std::size_t> tokens = {10, 10};
  std::thread waiting([&] { EXPECT_TRUE(batcher.Run(inputs, tokens, {}).ok()); });
  while (batcher.waiting_tokens() < 20) std::this_thread::yield();
  EXPECT_EQ(RunOne(batcher, Text("c")).status().code(), base::StatusCode::kResourceExhausted);
  executor.Release();
  blocker.join();
  waiting.join();
}

}  // namespace
}  // namespace sightline::model
