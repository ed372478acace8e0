// Workers whose queue cannot be reached or written.
#include "ingest/worker.h"

#include <gtest/gtest.h>

#include <functional>
#include <optional>
#include <utility>

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

Status FullDisk() { return base::ResourceExhausted("the disk is full"); }

class NoDecoder final : public media::Decoder {
 public:
  Status Decode(const media::DecodeRequest&, media::DecodeSink&, const CancelToken&) override {
    return base::InvalidArgument("not a PDF");
  }
  base::Result<media::Image> DecodePicture(const std::string&, int, const CancelToken&) override {
    return base::InvalidArgument("not a picture");
  }
  base::Result<media::EncodedImage> DrawPage(const media::DrawRequest&,
                                             const CancelToken&) override {
    return base::InvalidArgument("not a page");
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
  Status Ack(const queue::Job&) override { return ack; }
  Status Nack(const queue::Job&, std::string_view, std::int64_t) override { return OkStatus(); }
  base::Result<queue::QueueCounts> Counts() override { return queue::QueueCounts{}; }

  /// Returns when the workers ask for lease `number`: what they did with those before is done.
  void AwaitLease(int number) {
    for (; seen_ < number; ++seen_) ASSERT_TRUE(leases_.Pop().ok());
  }

  std::function<Leased(int)> answer;
  Status ack;

 private:
  base::BoundedQueue<int> leases_{1};
  int count_ = 0;  // Of the one worker.
  int seen_ = 0;
};

class WorkerTest : public ::testing::Test {
 protected:
  WorkerTest()
      : pipeline_({catalog_, blobs_, vectors_, decoder_, models_}, {}),
        workers_(pipeline_, catalog_, queue_, {.retry_ms = 1}, {}) {
    store::Document document;
    document.id = job_.document_id;
    document.file_name = "pump.pdf";
    document.blob_sha256 = *blobs_.Put("bytes");
    EXPECT_TRUE(catalog_.CreateDocument(document).ok());
  }

  const queue::Job job_{.id = "job", .kind = "ingest", .document_id = "01J00000000000000000000001"};
  store::MemoryCatalog catalog_;
  store::MemoryBlobStore blobs_;
  store::MemoryVectorStore vectors_;
  NoDecoder decoder_;
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
  EXPECT_TRUE(workers_.Trouble().ok()) << "once may happen";
  queue_.AwaitLease(12);
  EXPECT_EQ(workers_.Trouble().code(), StatusCode::kResourceExhausted);
  queue_.AwaitLease(15);
  EXPECT_TRUE(workers_.Trouble().ok()) << workers_.Trouble().ToString();
}

TEST_F(WorkerTest, AnEndThatCannotBeWrittenIsTroubleAtOnce) {
  queue_.ack = FullDisk();
  queue_.answer = [this](int lease) -> Leased {
    if (lease == 1) return std::optional(job_);
    return std::optional<queue::Job>();
  };
  workers_.Start();
  queue_.AwaitLease(3);
  const Status trouble = workers_.Trouble();
  EXPECT_EQ(trouble.code(), StatusCode::kResourceExhausted);
  EXPECT_NE(trouble.message().find("pump.pdf"), std::string::npos) << trouble.message();
}

}  // namespace
}  // namespace sightline::ingest
