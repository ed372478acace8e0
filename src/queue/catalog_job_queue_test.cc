#include "queue/catalog_job_queue.h"

#include <gtest/gtest.h>

#include "queue/contract/job_queue_contract.h"
#include "store/contract/sample_documents.h"
#include "store/contract/temporary_folder.h"
#include "store/sqlite_catalog.h"

namespace sightline::queue {
namespace {

/// The queue in the database of a catalog in a new folder.
class CatalogQueueUnderTest final : public JobQueueUnderTest {
 public:
  CatalogQueueUnderTest() { Open(); }
  JobQueue& queue() override { return *queue_; }
  base::FakeClock& clock() override { return clock_; }
  store::Catalog& catalog() { return *catalog_; }

  void Reopen() {
    queue_.reset();
    catalog_.reset();
    Open();
  }

 private:
  void Open() {
    auto catalog = store::SqliteCatalog::Open(folder_.File("catalog.sqlite"), clock_);
    EXPECT_TRUE(catalog.ok()) << catalog.status().ToString();
    catalog_ = *std::move(catalog);
    auto queue = CatalogJobQueue::Open(catalog_->database(), clock_);
    EXPECT_TRUE(queue.ok()) << queue.status().ToString();
    queue_ = *std::move(queue);
  }

  store::TemporaryFolder folder_;
  base::FakeClock clock_;
  std::unique_ptr<store::SqliteCatalog> catalog_;
  std::unique_ptr<CatalogJobQueue> queue_;
};

const JobQueueFactory kCatalogQueue = [] { return std::make_unique<CatalogQueueUnderTest>(); };

INSTANTIATE_TEST_SUITE_P(Catalog, JobQueueContract, testing::Values(kCatalogQueue));

std::optional<Job> LeaseNow(JobQueue& queue) {
  const auto job =
      queue.Lease("worker", 60'000, base::CancelToken::After(std::chrono::nanoseconds(0)));
  EXPECT_TRUE(job.ok()) << job.status().ToString();
  return job.ValueOr(std::nullopt);
}

TEST(CatalogJobQueueTest, CreatedDocumentHasItsJobWithoutEnqueue) {
  CatalogQueueUnderTest under_test;
  ASSERT_TRUE(under_test.catalog().CreateDocument(store::SampleDocument("A")).ok());
  ASSERT_TRUE(under_test.queue().Enqueue("ingest", "A").ok());
  EXPECT_EQ(under_test.queue().Counts()->queued, 1);
  EXPECT_EQ(LeaseNow(under_test.queue())->document_id, "A");
}

TEST(CatalogJobQueueTest, CommitFinishesTheJobSoThatNoWorkIsDoneTwice) {
  CatalogQueueUnderTest under_test;
  const store::Document document = store::SampleDocument("A");
  ASSERT_TRUE(under_test.catalog().CreateDocument(document).ok());
  const auto job = LeaseNow(under_test.queue());
  const auto first = under_test.catalog().AllocateUnitIds(1);
  ASSERT_TRUE(under_test.catalog().Commit(store::SampleCommit(document, *first, 1)).ok());
  under_test.Reopen();
  EXPECT_FALSE(LeaseNow(under_test.queue()));
  EXPECT_TRUE(under_test.queue().Ack(*job).ok());
}

TEST(CatalogJobQueueTest, LeaseOfAProcessThatEndedIsFreeAtOnceAndCountsAsRunOut) {
  CatalogQueueUnderTest under_test;
  ASSERT_TRUE(under_test.catalog().CreateDocument(store::SampleDocument("A")).ok());
  for (int attempt = 1; attempt <= 3; ++attempt) {
    const auto job = LeaseNow(under_test.queue());
    ASSERT_TRUE(job) << attempt;
    EXPECT_EQ(job->attempt, attempt);
    under_test.Reopen();
  }
  EXPECT_FALSE(LeaseNow(under_test.queue()));
  const auto document = under_test.catalog().GetDocument("A");
  EXPECT_EQ(document->state, store::DocumentState::kFailed);
  EXPECT_NE(document->reason.find("never came to an end"), std::string::npos) << document->reason;
  EXPECT_TRUE(under_test.catalog().CheckIntegrity()->empty());
}

TEST(CatalogJobQueueTest, RemovedDocumentTakesItsJobAlong) {
  CatalogQueueUnderTest under_test;
  ASSERT_TRUE(under_test.catalog().CreateDocument(store::SampleDocument("A")).ok());
  const auto job = LeaseNow(under_test.queue());
  ASSERT_TRUE(under_test.catalog().RemoveDocument("A").ok());
  EXPECT_TRUE(under_test.queue().Ack(*job).ok());
  EXPECT_EQ(under_test.queue().Counts()->running, 0);
}

}  // namespace
}  // namespace sightline::queue
