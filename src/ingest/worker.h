// Leases jobs, runs the pipeline, and writes down how each document ended.
#pragma once

#include <functional>
#include <map>
#include <string>
#include <thread>
#include <vector>

#include "base/clock.h"
#include "base/deadline.h"
#include "base/mutex.h"
#include "ingest/pipeline.h"
#include "queue/job_queue.h"

namespace sightline::ingest {

/// How the workers work.
struct WorkerOptions {
  int workers = 1;                       ///< Documents at once.
  std::int64_t lease_ms = 60'000;        ///< Extended every third of it while the work goes on.
  std::int64_t progress_every_ms = 500;  ///< Least time between two progress writes.
  std::int64_t retry_ms = 1'000;         ///< Pause after the queue could not be reached.
  /// So often is a document tried when the machine is at fault (a full disk), not the file.
  int attempts = 6;
  /// Pause after the first of them; each next one is four times as long.
  std::int64_t postpone_ms = 10'000;
};

/// Owns its threads; they start with `Start` and end with `Stop` or the destructor.
class IngestWorkers {
 public:
  /// All must live longer. `listener` hears of every change of a document.
  IngestWorkers(Pipeline& pipeline, store::Catalog& catalog, queue::JobQueue& queue,
                const WorkerOptions& options, ProgressListener listener);
  ~IngestWorkers();
  IngestWorkers(const IngestWorkers&) = delete;
  IngestWorkers& operator=(const IngestWorkers&) = delete;

  /// Starts the threads; once.
  void Start();
  /// Stops what runs; unfinished documents go back into the queue.
  void Stop();
  /// Stops the work on one document, if there is any (it was removed).
  void CancelDocument(const std::string& document_id);
  /// Why whoever waits for the document need not wait any longer, or ok: it was postponed because
  /// the machine is at fault (until it is tried again), or nothing can be brought to an end any
  /// more. The latter is said after a document's end could not be written or several leases in a
  /// row failed, and taken back when jobs can be leased again.
  base::Status Trouble(const std::string& document_id);

 private:
  struct Running {
    queue::Job job;
    base::CancelToken cancel;
  };
  void Loop(const std::string& name);
  base::Status RunJob(const queue::Job& job, const base::CancelToken& cancel);
  void CountFailure(base::Status status, int weight);
  void ExtendLeases();
  base::Status Finish(const queue::Job& job, store::Document document,
                      const base::Result<store::Document>& result);
  base::Status Postpone(const queue::Job& job, store::Document document, base::StatusCode code);

  Pipeline& pipeline_;
  store::Catalog& catalog_;
  queue::JobQueue& queue_;
  const WorkerOptions options_;
  const ProgressListener listener_;

  base::CancelToken stop_;
  std::vector<std::thread> threads_;
  base::Mutex mutex_;
  std::vector<Running> running_ SIGHTLINE_GUARDED_BY(mutex_);
  int failures_ SIGHTLINE_GUARDED_BY(mutex_) = 0;  ///< In a row.
  base::Status last_failure_ SIGHTLINE_GUARDED_BY(mutex_);
  /// By document, until it is tried again.
  std::map<std::string, base::Status> postponed_ SIGHTLINE_GUARDED_BY(mutex_);
};

}  // namespace sightline::ingest
