// The pipeline: decode, compose + encode, write run at the same time, joined by bounded queues.
//
//   decoder process ──▶ sink ──▶ [ordered steps] ──▶ writer ──▶ one commit
//                         └────▶ encode pool ──┘ (futures keep the order)
#pragma once

#include <functional>

#include "base/deadline.h"
#include "base/result.h"
#include "base/thread_pool.h"
#include "ingest/encode.h"
#include "ingest/services.h"
#include "store/unit.h"

namespace sightline::ingest {

/// Called after every item with the document as it stands; must be quick.
using ProgressListener = std::function<void(const store::Document&)>;

/// How a pipeline works.
struct PipelineOptions {
  int encode_threads = 2;
  int max_pages = 10'000;
  bool speech = true;
  int pool_factor = 1;  ///< Of token vectors, 1 … 4: see `index::PoolingOptions`.
  /// Changes a page before it is composed (measurement masks captions with it); usually empty.
  std::function<void(media::DecodedPage&)> edit_page;
};

/// Whether a failure of `Pipeline::Run` is the file's: reading it again would end the same way on
/// any machine. kResourceExhausted is the decoder's word for its limits; shortages of the machine
/// come out under other names.
bool IsFaultOfTheFile(base::StatusCode code);

/// Ingests documents. Thread-safe: several documents may run at once and share the encode pool.
class Pipeline {
 public:
  Pipeline(const IngestServices& services, PipelineOptions options);

  /// From the stored bytes of `document` to its commit. A fault of the file is a Status with a
  /// reason for its owner; when at least one page or frame was read before it, what was read is
  /// committed and the reason becomes a warning. `kCancelled` commits nothing.
  base::Result<store::Document> Run(const store::Document& document,
                                    const ProgressListener& progress,
                                    const base::CancelToken& cancel);

  /// CPU time of the encode threads since the start.
  const StageTimes& times() const { return encoder_.times(); }

 private:
  const IngestServices services_;
  const PipelineOptions options_;
  ItemEncoder encoder_;
  base::ThreadPool encode_pool_;
};

}  // namespace sightline::ingest
