#include "media/decoder/reply_writer.h"

#include <unistd.h>

#include <utility>

#include "media/decode_wire.h"
#include "media/decoder/stage_clock.h"
#include "sightline/v1/decode.pb.h"

namespace sightline::media {
namespace {

using std::chrono::steady_clock;

constexpr std::chrono::milliseconds kWatchInterval(200);
// A step that uses no CPU for so long waits for something that will not come.
constexpr std::chrono::seconds kStall(180);

}  // namespace

ReplyWriter::ReplyWriter(WriteFrame write)
    : write_(std::move(write)),
      cpu_limit_s_(ProcessCpuSeconds() + kWholeDocumentCpuSeconds),
      last_progress_(steady_clock::now()),
      watchdog_([this] { Watch(); }) {}

ReplyWriter::~ReplyWriter() {
  {
    base::MutexLock lock(mutex_);
    stop_ = true;
  }
  stopped_.NotifyAll();
  watchdog_.join();
}

base::Status ReplyWriter::OnInfo(DocumentInfo info) {
  v1::DecodeReply reply;
  ToWire(info, reply);
  return Send(reply);
}

base::Status ReplyWriter::OnPage(DecodedPage page) {
  v1::DecodeReply reply;
  ToWire(std::move(page), reply);
  return Send(reply);
}

base::Status ReplyWriter::OnFrame(DecodedFrame frame) {
  v1::DecodeReply reply;
  ToWire(std::move(frame), reply);
  return Send(reply);
}

base::Status ReplyWriter::OnAudio(DecodedAudio audio) {
  v1::DecodeReply reply;
  ToWire(audio, reply);
  return Send(reply);
}

base::Status ReplyWriter::OnText(DecodedText text) {
  v1::DecodeReply reply;
  ToWire(text, reply);
  return Send(reply);
}

base::Status ReplyWriter::OnWarning(std::string message) {
  v1::DecodeReply reply;
  reply.set_warning(std::move(message));
  return Send(reply);
}

base::Status ReplyWriter::OnPicture(const Image& picture) {
  v1::DecodeReply reply;
  ToWire(picture, reply);
  return Send(reply);
}

base::Status ReplyWriter::OnDrawn(EncodedImage drawn) {
  v1::DecodeReply reply;
  ToWire(std::move(drawn), reply);
  return Send(reply);
}

void ReplyWriter::BeginStep(int page_number, const std::string& name, int cpu_seconds) {
  {
    base::MutexLock lock(mutex_);
    step_ = name;
    step_cpu_s_ = cpu_seconds;
    cpu_limit_s_ = ProcessCpuSeconds() + cpu_seconds;
    last_progress_ = steady_clock::now();
  }
  v1::DecodeReply reply;
  reply.mutable_step()->set_page_number(page_number);
  reply.mutable_step()->set_name(name);
  // A reader that is gone is found out by the next message that matters.
  static_cast<void>(Send(reply).ok());
}

base::Status ReplyWriter::End(const base::Status& status) {
  v1::DecodeReply reply;
  ToWireEnd(status, reply);
  return Send(reply);
}

base::Status ReplyWriter::Send(const v1::DecodeReply& reply) {
  const std::string frame = reply.SerializeAsString();
  base::MutexLock lock(mutex_);
  base::Status status = write_(frame);
  last_progress_ = steady_clock::now();
  return status;
}

base::Status ReplyWriter::OverBudget() const {
  if (ProcessCpuSeconds() > cpu_limit_s_) {
    return base::ResourceExhausted(step_ + " needs more than " + std::to_string(step_cpu_s_) +
                                   " s of CPU time");
  }
  if (steady_clock::now() - last_progress_ > kStall) {
    return base::DeadlineExceeded(step_ + " stood still for " + std::to_string(kStall.count()) +
                                  " s");
  }
  return base::OkStatus();
}

void ReplyWriter::Watch() {
  base::MutexLock lock(mutex_);
  while (!stop_) {
    stopped_.WaitFor(mutex_, kWatchInterval);
    const base::Status over = OverBudget();
    if (stop_ || over.ok()) continue;
    v1::DecodeReply reply;
    ToWireEnd(over, reply);
    reply.mutable_end()->set_step_stopped(true);
    // The decoding thread cannot be stopped in any other way. Its memory is not touched again.
    const bool told = write_(reply.SerializeAsString()).ok();
    _exit(told ? 0 : 1);
  }
}

}  // namespace sightline::media
