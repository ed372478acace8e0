// Port: asynchronous work. The durable truth of a job is the catalog.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "base/deadline.h"
#include "base/result.h"

namespace sightline::queue {

/// One unit of asynchronous work, leased by one worker at a time.
struct Job {
  std::string id;    ///< ULID.
  std::string kind;  ///< "ingest".
  std::string document_id;
  int attempt = 0;                  ///< 1 for the first.
  std::int64_t lease_until_ms = 0;  ///< UTC.
};

/// How many jobs are in which state.
struct QueueCounts {
  std::int64_t queued = 0;
  std::int64_t running = 0;
  std::int64_t dead = 0;  ///< Dead letters: failed for good.
};

/// Thread-safe. At least once: a lease that runs out makes the job available again, and after
/// `max_attempts` (3) of them the job is a dead letter.
class JobQueue {
 public:
  virtual ~JobQueue() = default;
  /// Makes a job available at once.
  virtual base::Status Enqueue(std::string_view kind, std::string_view document_id) = 0;
  /// The oldest available job, or nothing when none came before the token's deadline; waits.
  virtual base::Result<std::optional<Job>> Lease(std::string_view worker, std::int64_t lease_ms,
                                                 const base::CancelToken& cancel) = 0;
  virtual base::Status Extend(const Job& job, std::int64_t lease_ms) = 0;
  /// Done, also when the document failed with a reason of its own.
  virtual base::Status Ack(const Job& job) = 0;
  /// Not done through no fault of the document: available again after `delay_ms`.
  virtual base::Status Nack(const Job& job, std::string_view reason, std::int64_t delay_ms) = 0;
  virtual base::Result<QueueCounts> Counts() = 0;
};

}  // namespace sightline::queue
