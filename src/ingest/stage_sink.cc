#include "ingest/stage_sink.h"

#include <memory>
#include <utility>

namespace sightline::ingest {
namespace {

using base::OkStatus;
using base::Result;
using base::Status;

/// Text is handed to the cutter in pieces of about this size.
constexpr std::size_t kBatchBytes = 6'000;
constexpr std::size_t kBatchCues = 64;

}  // namespace

Status StageSink::Submit(Task task) {
  auto job = std::make_shared<std::packaged_task<Result<EncodedItem>()>>(std::move(task));
  Step step;
  step.item = job->get_future();
  // The step goes in first: a full queue of steps is what stops the decoder.
  SIGHTLINE_RETURN_IF_ERROR(context_.steps.Push(std::move(step), context_.cancel));
  const Status submitted = context_.pool.Submit([job] { (*job)(); }, context_.cancel);
  // The step is already in line and somebody will wait for it; cancelled work ends at once.
  if (!submitted.ok()) (*job)();
  return submitted;
}

Status StageSink::OnInfo(media::DocumentInfo info) {
  kind_ = info.kind;
  Step step;
  step.info = std::move(info);
  return context_.steps.Push(std::move(step), context_.cancel);
}

Status StageSink::OnPage(media::DecodedPage page) {
  if (context_.edit_page) context_.edit_page(page);
  auto held = std::make_shared<media::DecodedPage>(std::move(page));
  return Submit(
      [this, held] { return context_.encoder.EncodePage(std::move(*held), context_.cancel); });
}

Status StageSink::OnFrame(media::DecodedFrame frame) {
  auto held = std::make_shared<media::DecodedFrame>(std::move(frame));
  if (kind_ == media::DocumentKind::kImage) {
    return Submit(
        [this, held] { return context_.encoder.EncodePicture(std::move(*held), context_.cancel); });
  }
  return Submit(
      [this, held] { return context_.encoder.EncodeShot(std::move(*held), context_.cancel); });
}

Status StageSink::OnAudio(media::DecodedAudio audio) {
  auto held = std::make_shared<media::DecodedAudio>(std::move(audio));
  return Submit(
      [this, held] { return context_.encoder.EncodeAudio(std::move(*held), context_.cancel); });
}

Status StageSink::OnText(media::DecodedText text) {
  if (!batch_.pieces.empty() && batch_.source != text.source) SIGHTLINE_RETURN_IF_ERROR(Flush());
  batch_.source = text.source;
  batch_bytes_ += text.text.size();
  batch_.pieces.push_back(std::move(text));
  const bool cues = batch_.source == media::TextSource::kSubtitle;
  const bool full = cues ? batch_.pieces.size() >= kBatchCues : batch_bytes_ >= kBatchBytes;
  return full ? Flush() : OkStatus();
}

Status StageSink::OnWarning(std::string message) {
  Step step;
  step.warning = std::move(message);
  return context_.steps.Push(std::move(step), context_.cancel);
}

Status StageSink::Flush() {
  if (batch_.pieces.empty()) return OkStatus();
  auto held = std::make_shared<TextBatch>(std::exchange(batch_, {}));
  batch_bytes_ = 0;
  return Submit(
      [this, held] { return context_.encoder.EncodeText(std::move(*held), context_.cancel); });
}

}  // namespace sightline::ingest
