#include "ingest/worker.h"

#include <malloc.h>
#include <spdlog/spdlog.h>

#include <algorithm>
#include <chrono>
#include <utility>

#include "base/bounded_queue.h"

namespace sightline::ingest {
namespace {

using base::CancelToken;
using base::OkStatus;
using base::Result;
using base::Status;
using base::StatusCode;

/// So many failures in a row mean that nothing is being brought to an end.
constexpr int kFailuresOfTrouble = 8;
/// Each pause of a postponed document is so many times the one before.
constexpr std::int64_t kPauseGrowth = 4;

/// The failure as those who wait, and the document, are told it. A program or a model that is not
/// there is nothing that they look for, or may not have.
StatusCode CodeOf(StatusCode code) {
  const bool stays =
      IsFaultOfTheFile(code) || code == StatusCode::kStorageFull || code == StatusCode::kIo;
  return stays ? code : StatusCode::kUnavailable;
}

/// The failure for the owner of the document, who need not know the files inside the data folder.
std::string ReasonOf(const Status& failure) {
  switch (failure.code()) {
    case StatusCode::kStorageFull:
      return "the disk of the data folder is full; free some space on it";
    case StatusCode::kIo:
      return "the disk of the data folder cannot be read or written; check it";
    default:
      return failure.message();
  }
}

}  // namespace

IngestWorkers::IngestWorkers(Pipeline& pipeline, store::Catalog& catalog, queue::JobQueue& queue,
                             const WorkerOptions& options, ProgressListener listener)
    : pipeline_(pipeline),
      catalog_(catalog),
      queue_(queue),
      options_(options),
      listener_(std::move(listener)) {}

IngestWorkers::~IngestWorkers() { Stop(); }

void IngestWorkers::Start() {
  for (int i = 0; i < options_.workers; ++i) {
    threads_.emplace_back([this, i] { Loop("ingest-" + std::to_string(i)); });
  }
  threads_.emplace_back([this] {
    base::SetThreadName("lease");
    ExtendLeases();
  });
}

void IngestWorkers::Stop() {
  stop_.Cancel();
  {
    const base::MutexLock lock(mutex_);
    for (const Running& running : running_) running.cancel.Cancel();
  }
  for (std::thread& thread : threads_) thread.join();
  threads_.clear();
}

void IngestWorkers::CancelDocument(const std::string& document_id) {
  const base::MutexLock lock(mutex_);
  postponed_.erase(document_id);
  for (const Running& running : running_) {
    if (running.job.document_id == document_id) running.cancel.Cancel();
  }
}

Status IngestWorkers::Trouble(const std::string& document_id) {
  const base::MutexLock lock(mutex_);
  const auto postponed = postponed_.find(document_id);
  if (postponed != postponed_.end()) return postponed->second;
  return failures_ < kFailuresOfTrouble ? OkStatus() : last_failure_;
}

void IngestWorkers::CountFailure(Status status, int weight) {
  const base::MutexLock lock(mutex_);
  // Said once: the same line every second would bury everything else.
  if (failures_ == 0) spdlog::error("ingest cannot go on: {}", status.ToString());
  failures_ = std::min(failures_ + weight, kFailuresOfTrouble);
  last_failure_ = std::move(status);
}

void IngestWorkers::ExtendLeases() {
  base::BoundedQueue<int> never(1);  // Nothing comes: popping it is a sleep that Stop ends.
  const auto period = std::chrono::milliseconds(options_.lease_ms / 3);
  while (!stop_.IsCancelled()) {
    const auto pause = never.Pop(stop_.WithDeadline(base::SystemClock().Now() + period));
    if (pause.status().code() != StatusCode::kDeadlineExceeded) return;
    std::vector<queue::Job> jobs;
    {
      const base::MutexLock lock(mutex_);
      for (const Running& running : running_) jobs.push_back(running.job);
    }
    for (const queue::Job& job : jobs) {
      const Status extended = queue_.Extend(job, options_.lease_ms);
      if (extended.ok()) continue;
      // A job that has just ended has no lease any more: nothing to worry about.
      const bool has_none = extended.code() == StatusCode::kFailedPrecondition;
      spdlog::log(has_none ? spdlog::level::debug : spdlog::level::warn,
                  "cannot extend a lease: document={} {}", job.document_id, extended.ToString());
    }
  }
}

void IngestWorkers::Loop(const std::string& name) {
  base::SetThreadName(name);
  base::BoundedQueue<int> never(1);
  while (!stop_.IsCancelled()) {
    const Result<std::optional<queue::Job>> job = queue_.Lease(name, options_.lease_ms, stop_);
    if (stop_.IsCancelled()) return;
    if (!job.ok()) {
      CountFailure(job.status().WithContext("cannot lease a job"), 1);
      const auto retry = base::SystemClock().Now() + std::chrono::milliseconds(options_.retry_ms);
      const auto pause = never.Pop(stop_.WithDeadline(retry));
      if (pause.status().code() == StatusCode::kCancelled) return;
      continue;
    }
    if (!*job) continue;
    const CancelToken cancel;
    {
      const base::MutexLock lock(mutex_);
      failures_ = 0;
      postponed_.erase((*job)->document_id);
      running_.push_back({**job, cancel});
    }
    const Status status = RunJob(**job, cancel);
    // The allocator would keep what decoding and encoding have freed; this takes a millisecond.
    malloc_trim(0);
    // The lease is still held: nobody else will see to this document before it runs out.
    if (!status.ok()) CountFailure(status, kFailuresOfTrouble);
    const base::MutexLock lock(mutex_);
    std::erase_if(running_, [&](const Running& running) { return running.job.id == (*job)->id; });
  }
}

Status IngestWorkers::RunJob(const queue::Job& job, const CancelToken& cancel) {
  Result<store::Document> document = catalog_.GetDocument(job.document_id);
  if (document.status().code() == StatusCode::kNotFound) return queue_.Ack(job);  // Removed.
  if (!document.ok()) return document.status();
  document->state = store::DocumentState::kProcessing;
  document->reason.clear();  // Of an attempt that was postponed.
  document->reason_code.clear();
  Status status = catalog_.UpdateDocument(*document);
  auto last_write = base::SystemClock().Now();
  const auto progress = [&](const store::Document& now) {
    const auto time = base::SystemClock().Now();
    if (time - last_write < std::chrono::milliseconds(options_.progress_every_ms)) return;
    last_write = time;
    const Status written = catalog_.UpdateDocument(now);
    if (!written.ok()) spdlog::warn("cannot write progress: {}", written.ToString());
    if (listener_) listener_(now);
  };
  if (listener_) listener_(*document);
  if (status.ok()) {
    status = Finish(job, *document, pipeline_.Run(*document, progress, cancel));
  }
  return status.ok() ? status : status.WithContext("cannot finish " + document->file_name);
}

Status IngestWorkers::Finish(const queue::Job& job, store::Document document,
                             const Result<store::Document>& result) {
  if (result.status().code() == StatusCode::kCancelled) {
    if (!catalog_.GetDocument(job.document_id).ok()) return queue_.Ack(job);  // Removed meanwhile.
    document.state = store::DocumentState::kQueued;
    SIGHTLINE_RETURN_IF_ERROR(catalog_.UpdateDocument(document));
    return queue_.Nack(job, "stopped", 0);
  }
  if (!result.ok()) {
    const StatusCode code = CodeOf(result.status().code());
    document.reason = ReasonOf(result.status());
    document.reason_code = std::string(base::StatusCodeName(code));
    if (!IsFaultOfTheFile(code)) {
      spdlog::warn("cannot ingest: document={} attempt={} {}", job.document_id, job.attempt,
                   result.status().ToString());
      const StatusCode known = catalog_.GetDocument(job.document_id).status().code();
      if (known == StatusCode::kNotFound) return queue_.Ack(job);  // Removed meanwhile.
      if (job.attempt < options_.attempts) return Postpone(job, std::move(document), code);
      document.reason += "; then retry";
    }
    document.state = store::DocumentState::kFailed;
    SIGHTLINE_RETURN_IF_ERROR(catalog_.UpdateDocument(document));
  }
  SIGHTLINE_RETURN_IF_ERROR(queue_.Ack(job));
  if (listener_) listener_(result.ok() ? *result : document);
  return OkStatus();
}

Status IngestWorkers::Postpone(const queue::Job& job, store::Document document, StatusCode code) {
  document.state = store::DocumentState::kQueued;
  SIGHTLINE_RETURN_IF_ERROR(catalog_.UpdateDocument(document));
  std::int64_t pause_ms = options_.postpone_ms;
  for (int attempt = 1; attempt < job.attempt; ++attempt) pause_ms *= kPauseGrowth;
  {
    const base::MutexLock lock(mutex_);
    postponed_[job.document_id] = {code, document.file_name + ": " + document.reason};
  }
  SIGHTLINE_RETURN_IF_ERROR(queue_.Nack(job, document.reason, pause_ms));
  if (listener_) listener_(document);
  return OkStatus();
}

}  // namespace sightline::ingest
