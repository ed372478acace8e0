// Jobs in the catalog's database: the embedded default.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>

#include "base/clock.h"
#include "base/mutex.h"
#include "base/ulid.h"
#include "queue/job_queue.h"
#include "store/sqlite_database.h"

namespace sightline::queue {

/// What may be chosen of the queue.
struct CatalogJobQueueOptions {
  /// Leases that run out before a job is a dead letter.
  int max_attempts = 3;
  /// A waiting `Lease` looks again after this long at the latest, also when nobody wakes it.
  std::int64_t poll_ms = 1'000;
};

/// Thread-safe. One process uses the database: leases that it finds when it opens were of a process
/// that ended, and count as run out.
class CatalogJobQueue final : public JobQueue {
 public:
  /// Database and clock must live longer. Gives back the leases of an earlier process.
  static base::Result<std::unique_ptr<CatalogJobQueue>> Open(
      store::SqliteDatabase& database, const base::Clock& clock,
      const CatalogJobQueueOptions& options = {});

  /// A job of this kind for this document that waits or runs already stays as it is, but for the
  /// delay of one that was given back, which ends; a dead letter is queued again from the start.
  base::Status Enqueue(std::string_view kind, std::string_view document_id) override;
  base::Result<std::optional<Job>> Lease(std::string_view worker, std::int64_t lease_ms,
                                         const base::CancelToken& cancel) override;
  /// kFailedPrecondition when the lease was lost: it ran out and another worker has the job.
  base::Status Extend(const Job& job, std::int64_t lease_ms) override;
  /// Ok also when the commit of the document has finished the job already.
  base::Status Ack(const Job& job) override;
  base::Status Nack(const Job& job, std::string_view reason, std::int64_t delay_ms) override;
  base::Result<QueueCounts> Counts() override;

 private:
  CatalogJobQueue(store::SqliteDatabase& database, const base::Clock& clock,
                  const CatalogJobQueueOptions& options);
  base::Result<std::optional<Job>> TryLease(std::string_view worker, std::int64_t lease_ms);
  base::Status ExpireLeases(store::SqliteConnection& connection, std::int64_t before_ms);
  std::int64_t NowMs() const { return base::UnixMillis(clock_.UtcNow()); }
  void Wake();

  store::SqliteDatabase& database_;
  const base::Clock& clock_;
  const CatalogJobQueueOptions options_;
  base::UlidGenerator ids_;
  base::Mutex mutex_;
  base::CondVar changed_;
  std::uint64_t wakes_ SIGHTLINE_GUARDED_BY(mutex_) = 0;
};

}  // namespace sightline::queue
