// Where the decoder's stream enters the pipeline: each thing becomes an ordered step.
#pragma once

#include <future>
#include <optional>
#include <string>

#include "base/bounded_queue.h"
#include "base/deadline.h"
#include "base/thread_pool.h"
#include "ingest/encode.h"
#include "media/decoder.h"

namespace sightline::ingest {

/// One thing in the order of the stream; exactly one member is set.
struct Step {
  std::optional<media::DocumentInfo> info;
  std::optional<std::string> warning;
  std::future<base::Result<EncodedItem>> item;
};

/// Submits encode tasks and queues their futures in order. Used by one decode thread.
class StageSink final : public media::DecodeSink {
 public:
  /// What it works with; all must live longer.
  struct Context {
    ItemEncoder& encoder;
    base::ThreadPool& pool;
    base::BoundedQueue<Step>& steps;
    const std::function<void(media::DecodedPage&)>& edit_page;
    base::CancelToken cancel;
  };
  explicit StageSink(const Context& context) : context_(context) {}

  base::Status OnInfo(media::DocumentInfo info) override;
  base::Status OnPage(media::DecodedPage page) override;
  base::Status OnFrame(media::DecodedFrame frame) override;
  base::Status OnAudio(media::DecodedAudio audio) override;
  base::Status OnText(media::DecodedText text) override;
  base::Status OnWarning(std::string message) override;

  /// Hands over what was being collected; called once after the last message.
  base::Status Flush();

 private:
  using Task = std::function<base::Result<EncodedItem>()>;
  base::Status Submit(Task task);

  const Context context_;
  media::DocumentKind kind_ = media::DocumentKind::kUnknown;
  TextBatch batch_;
  std::size_t batch_bytes_ = 0;
};

}  // namespace sightline::ingest
