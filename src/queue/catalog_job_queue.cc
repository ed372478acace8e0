#include "queue/catalog_job_queue.h"

#include <algorithm>
#include <limits>
#include <stop_token>
#include <utility>

#include "base/random.h"

namespace sightline::queue {
namespace {

using base::OkStatus;
using base::Result;
using base::Status;
using store::CleanText;
using store::SqliteConnection;
using store::SqliteStatement;

constexpr std::string_view kGivenUp =
    "processing was started several times and never came to an end: the program was killed, or "
    "this file needs more memory than there is; adding it again tries once more";

}  // namespace

Result<std::unique_ptr<CatalogJobQueue>> CatalogJobQueue::Open(
    store::SqliteDatabase& database, const base::Clock& clock,
    const CatalogJobQueueOptions& options) {
  std::unique_ptr<CatalogJobQueue> queue(new CatalogJobQueue(database, clock, options));
  SIGHTLINE_RETURN_IF_ERROR(database.Write([&](SqliteConnection& connection) {
    return queue->ExpireLeases(connection, std::numeric_limits<std::int64_t>::max());
  }));
  return queue;
}

CatalogJobQueue::CatalogJobQueue(store::SqliteDatabase& database, const base::Clock& clock,
                                 const CatalogJobQueueOptions& options)
    : database_(database), clock_(clock), options_(options), ids_(clock, base::SystemRandom()) {}

void CatalogJobQueue::Wake() {
  const base::MutexLock lock(mutex_);
  ++wakes_;
  changed_.NotifyAll();
}

Status CatalogJobQueue::Enqueue(std::string_view kind, std::string_view document_id) {
  const std::int64_t now_ms = NowMs();
  const Status status = database_.Write([&](SqliteConnection& connection) -> Status {
    SIGHTLINE_RETURN_IF_ERROR(connection.Run(
        "INSERT INTO jobs(id, kind, document_id, state, available_at_ms, created_at_ms) "
        "VALUES (?1, ?2, ?3, 'queued', ?4, ?4) ON CONFLICT(kind, document_id) DO UPDATE SET "
        "state = 'queued', attempt = 0, expired_leases = 0, worker = '', reason = '', "
        "lease_until_ms = 0, available_at_ms = ?4 WHERE state = 'dead'",
        ids_.Next().ToString(), CleanText(kind), CleanText(document_id), now_ms));
    // Not anew: a lease is known by its attempt.
    return connection.Run(
        "UPDATE jobs SET available_at_ms = ?3 WHERE kind = ?1 AND document_id = ?2 AND "
        "state = 'queued' AND available_at_ms > ?3",
        CleanText(kind), CleanText(document_id), now_ms);
  });
  if (status.ok()) Wake();
  return status;
}

Status CatalogJobQueue::ExpireLeases(SqliteConnection& connection, std::int64_t before_ms) {
  SIGHTLINE_RETURN_IF_ERROR(connection.Run(
      "UPDATE jobs SET state = 'queued', worker = '', lease_until_ms = 0, "
      "expired_leases = expired_leases + 1 WHERE state = 'running' AND lease_until_ms < ?1",
      before_ms));
  if (connection.changes() == 0) return OkStatus();
  SIGHTLINE_RETURN_IF_ERROR(connection.Run(
      "UPDATE jobs SET state = 'dead', reason = 'its leases ran out' WHERE state = 'queued' AND "
      "expired_leases >= ?1",
      options_.max_attempts));
  if (connection.changes() == 0) return OkStatus();
  // Whoever waits for the document must see an end. The document's row is the catalog's, but only
  // the queue knows that nobody will work on it again.
  return connection.Run(
      "UPDATE documents SET state = 'failed', reason_code = 'resource_exhausted', reason = ?1, "
      "updated_at_ms = ?2 WHERE state IN ('queued', 'processing') AND id IN (SELECT document_id "
      "FROM jobs WHERE state = 'dead')",
      kGivenUp, NowMs());
}

Result<std::optional<Job>> CatalogJobQueue::TryLease(std::string_view worker,
                                                     std::int64_t lease_ms) {
  const std::int64_t now_ms = NowMs();
  bool any = false;
  const Status read = database_.Read([&](SqliteConnection& connection) -> Status {
    SIGHTLINE_ASSIGN_OR_RETURN(
        SqliteStatement select,
        connection.Prepare(
            "SELECT 1 FROM jobs WHERE (state = 'queued' AND available_at_ms <= ?1) OR "
            "(state = 'running' AND lease_until_ms < ?1) LIMIT 1"));
    SIGHTLINE_ASSIGN_OR_RETURN(any, select.Bind(now_ms).Step());
    return OkStatus();
  });
  if (!read.ok()) return read;
  std::optional<Job> job;
  if (!any) return job;
  const Status written = database_.Write([&](SqliteConnection& connection) -> Status {
    SIGHTLINE_RETURN_IF_ERROR(ExpireLeases(connection, now_ms));
    SIGHTLINE_ASSIGN_OR_RETURN(
        SqliteStatement lease,
        connection.Prepare(
            "UPDATE jobs SET state = 'running', attempt = attempt + 1, worker = ?2, "
            "lease_until_ms = ?3 WHERE key = (SELECT key FROM jobs WHERE state = 'queued' AND "
            "available_at_ms <= ?1 ORDER BY key LIMIT 1) "
            "RETURNING id, kind, document_id, attempt, lease_until_ms"));
    SIGHTLINE_ASSIGN_OR_RETURN(const bool row,
                               lease.Bind(now_ms, CleanText(worker), now_ms + lease_ms).Step());
    if (!row) return OkStatus();
    job = Job{std::string(lease.Text(0)), std::string(lease.Text(1)), std::string(lease.Text(2)),
              static_cast<int>(lease.Int(3)), lease.Int(4)};
    return lease.Run();
  });
  if (!written.ok()) return written;
  return job;
}

Result<std::optional<Job>> CatalogJobQueue::Lease(std::string_view worker, std::int64_t lease_ms,
                                                  const base::CancelToken& cancel) {
  if (lease_ms < 1) return base::InvalidArgument("a lease must last at least a millisecond");
  const std::stop_callback wake(cancel.stop_token(), [this] { Wake(); });
  while (true) {
    std::uint64_t seen = 0;
    {
      const base::MutexLock lock(mutex_);
      seen = wakes_;
    }
    const Status wanted = cancel.Check();
    if (wanted.code() == base::StatusCode::kCancelled) return wanted;
    SIGHTLINE_ASSIGN_OR_RETURN(std::optional<Job> job, TryLease(worker, lease_ms));
    if (job || !wanted.ok()) return job;
    const base::MutexLock lock(mutex_);
    const auto pause = std::min<std::chrono::nanoseconds>(
        cancel.remaining(), std::chrono::milliseconds(options_.poll_ms));
    if (wakes_ == seen) changed_.WaitFor(mutex_, pause);
  }
}

Status CatalogJobQueue::Extend(const Job& job, std::int64_t lease_ms) {
  return database_.Write([&](SqliteConnection& connection) -> Status {
    SIGHTLINE_RETURN_IF_ERROR(connection.Run(
        "UPDATE jobs SET lease_until_ms = ?3 WHERE id = ?1 AND attempt = ?2 AND state = 'running'",
        CleanText(job.id), job.attempt, NowMs() + lease_ms));
    if (connection.changes() == 1) return OkStatus();
    return base::FailedPrecondition("the lease is lost: job " + CleanText(job.id));
  });
}

Status CatalogJobQueue::Ack(const Job& job) {
  return database_.Write([&](SqliteConnection& connection) {
    return connection.Run("DELETE FROM jobs WHERE id = ?1 AND attempt = ?2 AND state = 'running'",
                          CleanText(job.id), job.attempt);
  });
}

Status CatalogJobQueue::Nack(const Job& job, std::string_view reason, std::int64_t delay_ms) {
  const Status status = database_.Write([&](SqliteConnection& connection) -> Status {
    SIGHTLINE_RETURN_IF_ERROR(connection.Run(
        "UPDATE jobs SET state = 'queued', worker = '', lease_until_ms = 0, reason = ?3, "
        "available_at_ms = ?4 WHERE id = ?1 AND attempt = ?2 AND state = 'running'",
        CleanText(job.id), job.attempt, CleanText(reason),
        NowMs() + std::max<std::int64_t>(delay_ms, 0)));
    if (connection.changes() == 1) return OkStatus();
    return base::FailedPrecondition("the lease is lost: job " + CleanText(job.id));
  });
  if (status.ok()) Wake();
  return status;
}

Result<QueueCounts> CatalogJobQueue::Counts() {
  QueueCounts counts;
  const Status read = database_.Read([&](SqliteConnection& connection) -> Status {
    SIGHTLINE_ASSIGN_OR_RETURN(
        SqliteStatement select,
        connection.Prepare("SELECT coalesce(sum(state = 'queued'), 0), coalesce(sum(state = "
                           "'running'), 0), coalesce(sum(state = 'dead'), 0) FROM jobs"));
    SIGHTLINE_ASSIGN_OR_RETURN(const bool row, select.Step());
    if (row) counts = {select.Int(0), select.Int(1), select.Int(2)};
    return OkStatus();
  });
  if (!read.ok()) return read;
  return counts;
}

}  // namespace sightline::queue
