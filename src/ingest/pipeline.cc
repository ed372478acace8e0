#include "ingest/pipeline.h"

#include <filesystem>
#include <stop_token>
#include <thread>
#include <utility>

#include "ingest/document_writer.h"
#include "ingest/stage_sink.h"

namespace sightline::ingest {
namespace {

using base::CancelToken;
using base::OkStatus;
using base::Result;
using base::Status;
using base::StatusCode;

/// What the decoder said of the file goes into the document.
void ApplyInfo(const media::DocumentInfo& info, store::Document& document) {
  document.kind = info.kind;
  document.media_type = info.media_type;
  document.title =
      info.title.empty() ? std::filesystem::path(document.file_name).stem().string() : info.title;
  document.page_count = info.page_count;
  document.duration_ms = info.duration_ms;
  document.width = info.width;
  document.height = info.height;
  document.progress_done = 0;
  switch (info.kind) {
    case media::DocumentKind::kPdf:
      document.progress_total = info.page_count;
      break;
    case media::DocumentKind::kVideo:
    case media::DocumentKind::kAudio:
      document.progress_total = std::max<std::int64_t>(info.duration_ms, 0);
      break;
    default:
      document.progress_total = 1;
  }
}

/// Whether what was read before this failure is worth keeping.
bool KeepsWhatWasRead(StatusCode code) {
  return code == StatusCode::kDataLoss || code == StatusCode::kResourceExhausted ||
         code == StatusCode::kDeadlineExceeded;
}

/// Takes the steps in order until the queue is closed and empty, or one fails.
Status WriteSteps(base::BoundedQueue<Step>& steps, DocumentWriter& writer,
                  const ProgressListener& progress, const CancelToken& cancel) {
  while (true) {
    SIGHTLINE_ASSIGN_OR_RETURN(std::optional<Step> step, steps.Pop(cancel));
    if (!step) return OkStatus();
    if (step->info) {
      ApplyInfo(*step->info, writer.document());
    } else if (step->warning) {
      writer.AddWarning(std::move(*step->warning));
      continue;
    } else {
      SIGHTLINE_ASSIGN_OR_RETURN(EncodedItem item, step->item.get());
      store::Document& document = writer.document();
      document.progress_done = std::max(document.progress_done, item.progress);
      SIGHTLINE_RETURN_IF_ERROR(writer.Add(std::move(item)));
    }
    if (progress) progress(writer.document());
  }
}

}  // namespace

bool IsFaultOfTheFile(StatusCode code) {
  return code == StatusCode::kInvalidArgument || code == StatusCode::kDataLoss ||
         code == StatusCode::kResourceExhausted || code == StatusCode::kDeadlineExceeded;
}

Pipeline::Pipeline(const IngestServices& services, PipelineOptions options)
    : services_(services),
      options_(std::move(options)),
      encoder_(services.models, options_.pool_factor),
      encode_pool_({.name = "encode",
                    .threads = static_cast<std::size_t>(options_.encode_threads),
                    .queue_capacity = 64}) {}

Result<store::Document> Pipeline::Run(const store::Document& document,
                                      const ProgressListener& progress, const CancelToken& cancel) {
  media::DecodeRequest request;
  SIGHTLINE_ASSIGN_OR_RETURN(request.path, services_.blobs.LocalPath(document.blob_sha256));
  request.file_name = document.file_name;
  request.audio = options_.speech;
  request.limits.max_pages = options_.max_pages;

  const CancelToken stop;  // This document only; follows the caller's.
  const std::stop_callback follow(cancel.stop_token(), [&stop] { stop.Cancel(); });
  base::BoundedQueue<Step> steps(static_cast<std::size_t>(options_.encode_threads) * 2 + 2);
  StageSink sink({encoder_, encode_pool_, steps, options_.edit_page, stop});
  Status decoded;
  std::thread decode([&] {
    base::SetThreadName("decode");
    decoded = services_.decoder.Decode(request, sink, stop);
    const Status flushed = stop.IsCancelled() ? OkStatus() : sink.Flush();
    if (decoded.ok()) decoded = flushed;
    steps.Close();
  });

  DocumentWriter writer(services_, document);
  const Status written = WriteSteps(steps, writer, progress, stop);
  if (!written.ok()) stop.Cancel();
  decode.join();
  // Tasks that were submitted still point at the sink: they must end before it does.
  while (std::optional<Step> left = steps.TryPop()) {
    if (left->item.valid()) left->item.wait();
  }
  if (cancel.IsCancelled()) return base::Cancelled("ingest was stopped");
  // No limit of the decoder: the machine is short of something (memory, open files).
  if (written.code() == StatusCode::kResourceExhausted) return base::Unavailable(written.message());
  if (!written.ok()) return written;
  if (!decoded.ok()) {
    if (!KeepsWhatWasRead(decoded.code()) || !writer.HasUnits()) return decoded;
    writer.AddWarning("only a part could be read: " + decoded.message());
  }
  return writer.Commit();
}

}  // namespace sightline::ingest
