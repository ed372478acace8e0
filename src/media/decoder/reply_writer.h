// The child's end of the decoder protocol, and the watch over what it uses.
#pragma once

#include <atomic>
#include <chrono>
#include <functional>
#include <string>
#include <string_view>
#include <thread>

#include "base/mutex.h"
#include "base/status.h"
#include "media/decoder.h"
#include "media/decoder/decode_context.h"

namespace sightline::v1 {
class DecodeReply;
}  // namespace sightline::v1

namespace sightline::media {

/// Sends what the decoders give as frames. A watchdog thread ends the process with a reason when a
/// step uses more CPU time than it was given, or stands still: the time in which a slow reader
/// blocks a write does not count.
class ReplyWriter final : public DecodeSink, public StepObserver {
 public:
  /// Writes one frame, whole; called by one thread at a time.
  using WriteFrame = std::function<base::Status(std::string_view frame)>;

  /// Starts the watchdog.
  explicit ReplyWriter(WriteFrame write);
  ~ReplyWriter() override;
  ReplyWriter(const ReplyWriter&) = delete;
  ReplyWriter& operator=(const ReplyWriter&) = delete;

  base::Status OnInfo(DocumentInfo info) override;
  base::Status OnPage(DecodedPage page) override;
  base::Status OnFrame(DecodedFrame frame) override;
  base::Status OnAudio(DecodedAudio audio) override;
  base::Status OnText(DecodedText text) override;
  base::Status OnWarning(std::string message) override;
  /// The answer to a request for one picture.
  base::Status OnPicture(const Image& picture);
  /// The answer to a request for one drawn page.
  base::Status OnDrawn(EncodedImage drawn);
  void BeginStep(int page_number, const std::string& name, int cpu_seconds) override;

  /// The last message; nothing may be written after it.
  base::Status End(const base::Status& status);

 private:
  base::Status Send(const v1::DecodeReply& reply) SIGHTLINE_EXCLUDES(mutex_);
  void Watch();
  base::Status OverBudget() const SIGHTLINE_REQUIRES(mutex_);

  const WriteFrame write_;
  base::Mutex mutex_;
  base::CondVar stopped_;
  bool stop_ SIGHTLINE_GUARDED_BY(mutex_) = false;
  std::string step_ SIGHTLINE_GUARDED_BY(mutex_);
  double cpu_limit_s_ SIGHTLINE_GUARDED_BY(mutex_);
  int step_cpu_s_ SIGHTLINE_GUARDED_BY(mutex_) = kWholeDocumentCpuSeconds;
  std::chrono::steady_clock::time_point last_progress_ SIGHTLINE_GUARDED_BY(mutex_);
  std::thread watchdog_;
};

}  // namespace sightline::media
