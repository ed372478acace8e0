// What every JobQueue must do. An adapter's test instantiates `JobQueueContract`.
#pragma once

#include <gtest/gtest.h>

#include <chrono>
#include <functional>
#include <memory>
#include <set>
#include <string>
#include <thread>
#include <vector>

#include "base/clock.h"
#include "queue/job_queue.h"

namespace sightline::queue {

/// An adapter with its empty storage. Leases are kept on `clock`.
class JobQueueUnderTest {
 public:
  virtual ~JobQueueUnderTest() = default;
  /// The adapter.
  virtual JobQueue& queue() = 0;
  /// Its clock.
  virtual base::FakeClock& clock() = 0;
};

using JobQueueFactory = std::function<std::unique_ptr<JobQueueUnderTest>()>;

/// The suite.
class JobQueueContract : public testing::TestWithParam<JobQueueFactory> {
 protected:
  void SetUp() override { under_test_ = GetParam()(); }
  JobQueue& queue() { return under_test_->queue(); }
  void Advance(std::int64_t ms) { under_test_->clock().Advance(std::chrono::milliseconds(ms)); }

  void Enqueue(const std::string& document) {
    const base::Status status = queue().Enqueue("ingest", document);
    ASSERT_TRUE(status.ok()) << status.ToString();
  }

  /// What can be leased now, without waiting.
  std::optional<Job> Lease(std::int64_t lease_ms = 1'000) {
    const auto job =
        queue().Lease("worker", lease_ms, base::CancelToken::After(std::chrono::nanoseconds(0)));
    EXPECT_TRUE(job.ok()) << job.status().ToString();
    return job.ValueOr(std::nullopt);
  }

  std::unique_ptr<JobQueueUnderTest> under_test_;
};

TEST_P(JobQueueContract, OldestJobComesFirstAndToOneWorkerOnly) {
  Enqueue("A");
  Enqueue("B");
  const auto first = Lease();
  ASSERT_TRUE(first);
  EXPECT_EQ(first->document_id, "A");
  EXPECT_EQ(first->kind, "ingest");
  EXPECT_EQ(first->attempt, 1);
  EXPECT_EQ(Lease()->document_id, "B");
  EXPECT_FALSE(Lease());
  EXPECT_EQ(queue().Counts()->running, 2);
}

TEST_P(JobQueueContract, AckedJobIsDone) {
  Enqueue("A");
  const auto job = Lease();
  ASSERT_TRUE(queue().Ack(*job).ok());
  EXPECT_TRUE(queue().Ack(*job).ok()) << "a second ack changes nothing";
  Advance(10'000);
  EXPECT_FALSE(Lease());
  const auto counts = queue().Counts();
  EXPECT_EQ(counts->queued + counts->running + counts->dead, 0);
}

TEST_P(JobQueueContract, LeaseThatRunsOutMakesTheJobAvailableAgain) {
  Enqueue("A");
  const auto lost = Lease(1'000);
  Advance(999);
  EXPECT_FALSE(Lease());
  Advance(2);
  const auto again = Lease();
  ASSERT_TRUE(again);
  EXPECT_EQ(again->id, lost->id);
  EXPECT_EQ(again->attempt, 2);
  EXPECT_EQ(queue().Extend(*lost, 1'000).code(), base::StatusCode::kFailedPrecondition);
  ASSERT_TRUE(queue().Ack(*lost).ok());
  EXPECT_EQ(queue().Counts()->running, 1) << "the ack of a lost lease takes nothing away";
  EXPECT_FALSE(queue().Nack(*lost, "late", 0).ok());
}

TEST_P(JobQueueContract, ExtendedLeaseLasts) {
  Enqueue("A");
  const auto job = Lease(1'000);
  for (int i = 0; i < 5; ++i) {
    Advance(900);
    ASSERT_TRUE(queue().Extend(*job, 1'000).ok());
  }
  EXPECT_FALSE(Lease());
}

TEST_P(JobQueueContract, ThirdLeaseThatRunsOutIsADeadLetter) {
  Enqueue("A");
  for (int attempt = 1; attempt <= 3; ++attempt) {
    const auto job = Lease(1'000);
    ASSERT_TRUE(job);
    EXPECT_EQ(job->attempt, attempt);
    Advance(1'001);
  }
  EXPECT_FALSE(Lease());
  EXPECT_EQ(queue().Counts()->dead, 1);
  Enqueue("A");
  EXPECT_EQ(queue().Counts()->dead, 0);
  EXPECT_EQ(Lease()->attempt, 1) << "asked for again, it starts afresh";
}

TEST_P(JobQueueContract, NackedJobComesBackAfterItsDelayAndNeverDies) {
  Enqueue("A");
  for (int i = 0; i < 5; ++i) {
    const auto job = Lease(1'000);
    ASSERT_TRUE(job) << i;
    ASSERT_TRUE(queue().Nack(*job, "停止", 500).ok());
    Advance(499);
    EXPECT_FALSE(Lease());
    Advance(1);
  }
  EXPECT_TRUE(Lease());
  EXPECT_EQ(queue().Counts()->dead, 0);
}

TEST_P(JobQueueContract, AskingAgainEndsTheDelayOfAJobThatWasGivenBack) {
  Enqueue("A");
  ASSERT_TRUE(queue().Nack(*Lease(), "磁盘已满", 60'000).ok());
  ASSERT_FALSE(Lease());
  Enqueue("A");
  const auto job = Lease();
  ASSERT_TRUE(job);
  EXPECT_EQ(job->attempt, 2) << "it goes on counting";
}

TEST_P(JobQueueContract, EnqueuedTwiceIsOneJob) {
  Enqueue("A");
  Enqueue("A");
  EXPECT_EQ(queue().Counts()->queued, 1);
  const auto job = Lease();
  Enqueue("A");
  EXPECT_FALSE(Lease());
  ASSERT_TRUE(queue().Ack(*job).ok());
  Enqueue("A");
  EXPECT_TRUE(Lease());
}

TEST_P(JobQueueContract, WaitingWorkerIsWokenByAJobAndByCancel) {
  const base::CancelToken cancel;
  base::Result<std::optional<Job>> woken = std::optional<Job>();
  std::thread worker([&] { woken = queue().Lease("worker", 1'000, cancel); });
  Enqueue("A");
  worker.join();
  ASSERT_TRUE(woken.ok());
  ASSERT_TRUE(woken->has_value());
  EXPECT_EQ((**woken).document_id, "A");
  std::thread waiting([&] { woken = queue().Lease("worker", 1'000, cancel); });
  cancel.Cancel();
  waiting.join();
  EXPECT_EQ(woken.status().code(), base::StatusCode::kCancelled);
}

TEST_P(JobQueueContract, ManyWorkersGetEachJobOnce) {
  constexpr int kJobs = 24;
  for (int i = 0; i < kJobs; ++i) Enqueue(std::to_string(i));
  std::vector<std::vector<std::string>> taken(4);
  std::vector<std::thread> workers;
  for (auto& mine : taken) {
    workers.emplace_back([&] {
      while (true) {
        const auto job =
            queue().Lease("w", 60'000, base::CancelToken::After(std::chrono::nanoseconds(0)));
        ASSERT_TRUE(job.ok()) << job.status().ToString();
        if (!*job) return;
        mine.push_back((*job)->document_id);
      }
    });
  }
  for (std::thread& worker : workers) worker.join();
  std::multiset<std::string> all;
  for (const auto& mine : taken) all.insert(mine.begin(), mine.end());
  EXPECT_EQ(all.size(), std::size_t{kJobs});
  EXPECT_EQ(std::set<std::string>(all.begin(), all.end()).size(), std::size_t{kJobs});
}

}  // namespace sightline::queue
