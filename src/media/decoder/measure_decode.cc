#include "media/decoder/measure_decode.h"

#include <fcntl.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <utility>

#include "media/decode_wire.h"
#include "media/decoder/decode_document.h"
#include "sightline/v1/decode.pb.h"

namespace sightline::media {
namespace {

/// Makes the messages that would be sent, and counts.
class CountingSink final : public DecodeSink, public StepObserver {
 public:
  explicit CountingSink(DecodeMeasure& measure) : measure_(measure) {}

  base::Status OnInfo(DocumentInfo info) override { return Count(info); }
  base::Status OnPage(DecodedPage page) override {
    ++measure_.pages;
    return Count(std::move(page));
  }
  base::Status OnFrame(DecodedFrame frame) override {
    ++measure_.frames;
    measure_.media_ms = std::max(measure_.media_ms, frame.pts_ms);
    return Count(std::move(frame));
  }
  base::Status OnAudio(DecodedAudio audio) override {
    const auto length_ms = static_cast<std::int64_t>(audio.samples.size()) / 16;
    measure_.media_ms = std::max(measure_.media_ms, audio.start_ms + length_ms);
    return Count(audio);
  }
  base::Status OnText(DecodedText text) override { return Count(text); }
  base::Status OnWarning(std::string /*message*/) override { return base::OkStatus(); }
  void BeginStep(int /*page*/, const std::string& /*name*/, int /*cpu_seconds*/) override {}

 private:
  template <typename T>
  base::Status Count(T&& value) {
    const double start = ProcessCpuSeconds();
    v1::DecodeReply reply;
    ToWire(std::forward<T>(value), reply);
    measure_.wire_bytes += static_cast<std::int64_t>(reply.SerializeAsString().size());
    measure_.wire_cpu_seconds += ProcessCpuSeconds() - start;
    return base::OkStatus();
  }

  DecodeMeasure& measure_;
};

}  // namespace

base::Result<DecodeMeasure> MeasureDecode(const DecodeRequest& request) {
  const int fd = open(request.path.c_str(), O_RDONLY | O_CLOEXEC);
  if (fd < 0) return base::IoError("cannot open " + request.path, errno);
  DecodeMeasure measure;
  CountingSink sink(measure);
  const auto start = std::chrono::steady_clock::now();
  const double cpu_start = ProcessCpuSeconds();
  const base::Result<InputFile> input = InputFile::FromDescriptor(fd);
  base::Status status = input.status();
  if (input.ok()) status = DecodeDocument(*input, request, 1, sink, sink, &measure.stages);
  measure.cpu_seconds = ProcessCpuSeconds() - cpu_start;
  measure.wall_seconds =
      std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  close(fd);
  if (!status.ok()) return status;
  return measure;
}

}  // namespace sightline::media
