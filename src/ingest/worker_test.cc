// Workers whose queue cannot be reached or written, or whose machine is at fault.
#include "ingest/worker.h"

#include <gtest/gtest.h>

#include <functional>
#include <optional>
#include <utility>
#include <vector>

#include "base/bounded_queue.h"
#include "model/fake_models.h"
#include "store/memory_store.h"

namespace sightline::ingest {
namespace {

using base::CancelToken;
using base::OkStatus;
using base::Status;
using base::StatusCode;
using Leased = base::Result<std::optional<queue::Job>>;

Status FullDisk() { return base::StorageFull("/data/segments/1.seg: no space"); }

class FailingDecoder final : public media::Decoder {
 public:
  Status Decode(const media::DecodeRequest&, media::DecodeSink&, const CancelToken&) override {
    return failure;
  }
  Status failure = base::InvalidArgument("not a PDF");
  base::Result<media::Image> DecodePicture(const std::string&, int, const CancelToken&) override {
    return base::InvalidArgument("not a picture");
  }
  base::Result<media::EncodedImage> DrawPage(const media::DrawRequest&,
                                             const CancelToken&) override {
    return base::NotFound("no pages in this test");
  }
};

/// Answers as the test says; each lease waits until the test has seen it.
class ScriptedQueue final : public queue::JobQueue {
 public:
  Status Enqueue(std::string_view, std::string_view) override { return OkStatus(); }
  Leased Lease(std::string_view, std::int64_t, const CancelToken& cancel) override {
    SIGHTLINE_RETURN_IF_ERROR(leases_.Push(1, cancel));
    return answer(++count_);
  }
  Status Extend(const queue::Job&, std::int64_t) override { return OkStatus(); }
  Status Ack(const queue::Job&) override {
    ++acks;
    return ack;
  }
  Status Nack(const queue::Job&, std::string_view, std::int64_t delay_ms) override {
    delays_ms.push_back(delay_ms);
    return OkStatus();
  }
  base::Result<queue::QueueCounts> Counts() override { return queue::QueueCounts{}; }

  /// Returns when the workers ask for lease `number`: what they did with those before is done.
  void AwaitLease(int number) {
    for (; seen_ < number; ++seen_) ASSERT_TRUE(leases_.Pop().ok());
  }

  std::function<Leased(int)> answer;
  Status ack;
  int acks = 0;                         ///< Of the one worker, as `delays_ms`.
  std::vector<std::int64_t> delays_ms;  ///< Of what was given back.

 private:
  base::BoundedQueue<int> leases_{1};
  int count_ = 0;  // Of the one worker.
  int seen_ = 0;
};

class WorkerTest : public ::testing::Test {
 protected:
  WorkerTest()
      : pipeline_({catalog_, blobs_, vectors_, decoder_, models_}, {}),
        workers_(pipeline_, catalog_, queue_, {.retry_ms = 1, .attempts = 3, .postpone_ms = 100},
                 {}) {
    store::Document document;
    document.id = job_.document_id;
    document.file_name = "pump.pdf";
    document.blob_sha256 = *blobs_.Put("bytes");
    EXPECT_TRUE(catalog_.CreateDocument(document).ok());
  }

  /// The document after attempts 1 to `attempts`, each of which fails like this.
  store::Document AfterAttempts(int attempts, Status failure) {
    decoder_.failure = std::move(failure);
    queue_.answer = [this, attempts](int lease) -> Leased {
      if (lease > attempts) return std::optional<queue::Job>();
      queue::Job job = job_;
      job.attempt = lease;
      return std::optional(job);
    };
    workers_.Start();
    queue_.AwaitLease(attempts + 2);
    return *catalog_.GetDocument(job_.document_id);
  }

  const queue::Job job_{.id = "job", .kind = "ingest", .document_id = "01J00000000000000000000001"};
  store::MemoryCatalog catalog_;
  store::MemoryBlobStore blobs_;
  store::MemoryVectorStore vectors_;
  FailingDecoder decoder_;
  model::FakeModels models_;
  Pipeline pipeline_;
  ScriptedQueue queue_;
  IngestWorkers workers_;
};

TEST_F(WorkerTest, AQueueThatStaysOutOfReachIsTroubleUntilItComesBack) {
  queue_.answer = [this](int lease) -> Leased {
    if (lease <= 12) return FullDisk();
    return std::optional(job_);
  };
  workers_.Start();
  queue_.AwaitLease(2);
  EXPECT_TRUE(workers_.Trouble(job_.document_id).ok()) << "once may happen";
  queue_.AwaitLease(12);
  EXPECT_EQ(workers_.Trouble(job_.document_id).code(), StatusCode::kStorageFull);
  queue_.AwaitLease(15);
  EXPECT_TRUE(workers_.Trouble(job_.document_id).ok())
      << workers_.Trouble(job_.document_id).ToString();
}

TEST_F(WorkerTest, AnEndThatCannotBeWrittenIsTroubleAtOnce) {
  queue_.ack = FullDisk();
  queue_.answer = [this](int lease) -> Leased {
    if (lease == 1) return std::optional(job_);
    return std::optional<queue::Job>();
  };
  workers_.Start();
  queue_.AwaitLease(3);
  const Status trouble = workers_.Trouble(job_.document_id);
  EXPECT_EQ(trouble.code(), StatusCode::kStorageFull);
  EXPECT_NE(trouble.message().find("pump.pdf"), std::string::npos) << trouble.message();
}

TEST_F(WorkerTest, AFullDiskPostponesTheDocumentAndWhoeverWaitsIsTold) {
  const store::Document document = AfterAttempts(2, FullDisk());
  EXPECT_EQ(document.state, store::DocumentState::kQueued);
  EXPECT_EQ(document.reason, "the disk of the data folder is full; free some space on it");
  EXPECT_EQ(document.reason_code, "storage_full");
  EXPECT_EQ(queue_.delays_ms, (std::vector<std::int64_t>{100, 400}));
  EXPECT_EQ(queue_.acks, 0);
  const Status trouble = workers_.Trouble(job_.document_id);
  EXPECT_EQ(trouble.code(), StatusCode::kStorageFull);
  EXPECT_EQ(trouble.message(), "pump.pdf: " + document.reason);
  EXPECT_TRUE(workers_.Trouble("01J00000000000000000000002").ok()) << "others may go on";
}

TEST_F(WorkerTest, AProgramThatIsNotThereIsNoFaultOfTheFile) {
  const store::Document document =
      AfterAttempts(1, base::NotFound("there is no program /usr/bin/sightline-decode"));
  EXPECT_EQ(document.state, store::DocumentState::kQueued);
  EXPECT_EQ(document.reason, "there is no program /usr/bin/sightline-decode");
  EXPECT_EQ(document.reason_code, "unavailable");
  EXPECT_EQ(workers_.Trouble(job_.document_id).code(), StatusCode::kUnavailable);
}

TEST_F(WorkerTest, TheLastAttemptFails) {
  const store::Document document = AfterAttempts(3, base::IoError("/data/blobs/ab: I/O error"));
  EXPECT_EQ(document.state, store::DocumentState::kFailed);
  EXPECT_EQ(document.reason,
            "the disk of the data folder cannot be read or written; check it; then retry");
  EXPECT_EQ(queue_.delays_ms.size(), 2U);
  EXPECT_EQ(queue_.acks, 1);
  EXPECT_TRUE(workers_.Trouble(job_.document_id).ok()) << "it has its end";
}

TEST_F(WorkerTest, ALimitOfTheDecoderFailsAtOnceWithItsReason) {
  const store::Document document =
      AfterAttempts(1, base::ResourceExhausted("the PDF has more pages than the limit of 5000"));
  EXPECT_EQ(document.state, store::DocumentState::kFailed);
  EXPECT_EQ(document.reason, "the PDF has more pages than the limit of 5000");
  EXPECT_EQ(document.reason_code, "resource_exhausted");
  EXPECT_TRUE(queue_.delays_ms.empty());
}

TEST_F(WorkerTest, ADamagedFileFailsAtOnceWithItsReason) {
  const store::Document document = AfterAttempts(1, base::DataLoss("文件已损坏"));
  EXPECT_EQ(document.state, store::DocumentState::kFailed);
  EXPECT_EQ(document.reason, "文件已损坏");
}

}  // namespace
}  // namespace sightline::ingest
