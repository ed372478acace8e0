#include "media/decoder/audio_track.h"

#include <algorithm>
#include <cstdlib>
#include <string>
#include <utility>

#include "media/decoder/av_input.h"

namespace sightline::media {
namespace {

constexpr int kRate = 16'000;
constexpr std::size_t kPieceSamples = 30UL * kRate;
// Stamps that jump by more end the piece; less is jitter of the container.
constexpr std::int64_t kMaxJitterUs = 120'000;
// Samples that wait for the first picture; a file whose pictures come later than that has none.
constexpr std::size_t kMaxWaitingSamples = 4 * kPieceSamples;

std::int64_t DurationUs(std::size_t samples) {
  return static_cast<std::int64_t>(samples) * 1'000'000 / kRate;
}

}  // namespace

AudioTrack::AudioTrack(const AVStream& stream, const DecodeContext& context, TrackClock& clock,
                       Origin origin)
    : stream_(stream), context_(context), clock_(clock), origin_(origin) {}

base::Result<std::unique_ptr<AudioTrack>> AudioTrack::Open(const AVStream& stream,
                                                           const DecodeContext& context,
                                                           TrackClock& clock, Origin origin) {
  std::unique_ptr<AudioTrack> track(new AudioTrack(stream, context, clock, origin));
  SIGHTLINE_ASSIGN_OR_RETURN(track->decoder_, OpenStreamDecoder(stream, 1, 1));
  track->frame_.reset(av_frame_alloc());
  if (track->frame_ == nullptr) return base::ResourceExhausted("no memory for sound");
  return track;
}

base::Status AudioTrack::Feed(const AVPacket* packet) {
  const ScopedStage stage(context_.clock, DecodeStage::kAudio);
  if (avcodec_send_packet(decoder_.get(), packet) == AVERROR(ENOMEM)) {
    return base::ResourceExhausted("no memory for sound");
  }
  while (avcodec_receive_frame(decoder_.get(), frame_.get()) >= 0) {
    SIGHTLINE_RETURN_IF_ERROR(OnDecoded(*frame_));
  }
  if (packet != nullptr) return base::OkStatus();
  if (resampler_ != nullptr) SIGHTLINE_RETURN_IF_ERROR(Resample(nullptr));
  return Flush();
}

base::Status AudioTrack::PrepareResampler(AVFrame& frame) {
  const bool same = resampler_ != nullptr && rate_ == frame.sample_rate &&
                    format_ == frame.format &&
                    av_channel_layout_compare(&layout_, &frame.ch_layout) == 0;
  if (same) return base::OkStatus();
  AVChannelLayout mono = AV_CHANNEL_LAYOUT_MONO;
  SwrContext* made = nullptr;
  const int error =
      swr_alloc_set_opts2(&made, &mono, AV_SAMPLE_FMT_FLT, kRate, &frame.ch_layout,
                          static_cast<AVSampleFormat>(frame.format), frame.sample_rate, 0, nullptr);
  resampler_.reset(made);
  if (error < 0 || swr_init(resampler_.get()) < 0) {
    resampler_.reset();
    return base::DataLoss("the sound has a layout that cannot be converted");
  }
  rate_ = frame.sample_rate;
  format_ = frame.format;
  av_channel_layout_copy(&layout_, &frame.ch_layout);
  return base::OkStatus();
}

base::Status AudioTrack::OnDecoded(AVFrame& frame) {
  if (frame.nb_samples <= 0 || frame.sample_rate <= 0) return base::OkStatus();
  const auto stamp = TrackClock::Microseconds(frame.best_effort_timestamp, stream_.time_base);
  const std::int64_t expected = piece_start_us_ + DurationUs(piece_.size());
  const std::int64_t start = stamp.value_or(expected);
  if (samples_ == 0 && piece_.empty()) {
    piece_start_us_ = start;
    if (origin_ == Origin::kOwn && !clock_.has_origin()) clock_.SetOrigin(start);
  } else if (std::abs(start - expected) > kMaxJitterUs) {
    SIGHTLINE_RETURN_IF_ERROR(Flush());
    piece_start_us_ = start;
  }
  SIGHTLINE_RETURN_IF_ERROR(PrepareResampler(frame));
  return Resample(&frame);
}

base::Status AudioTrack::Resample(const AVFrame* frame) {
  const int in_count = frame != nullptr ? frame->nb_samples : 0;
  const int room = swr_get_out_samples(resampler_.get(), in_count);
  if (room <= 0) return base::OkStatus();
  const std::size_t before = piece_.size();
  piece_.resize(before + static_cast<std::size_t>(room));
  auto* out = reinterpret_cast<std::uint8_t*>(piece_.data() + before);
  const auto** in =
      frame != nullptr ? const_cast<const std::uint8_t**>(frame->extended_data) : nullptr;
  const int made = swr_convert(resampler_.get(), &out, room, in, in_count);
  piece_.resize(before + static_cast<std::size_t>(std::max(0, made)));
  const bool waits = !clock_.has_origin() && piece_.size() < kMaxWaitingSamples;
  return piece_.size() >= kPieceSamples && !waits ? Flush() : base::OkStatus();
}

base::Status AudioTrack::Flush() {
  std::vector<float> samples = std::move(piece_);
  piece_.clear();
  const std::int64_t start_us = piece_start_us_;
  piece_start_us_ += DurationUs(samples.size());
  if (samples.empty()) return base::OkStatus();
  samples_ += static_cast<std::int64_t>(samples.size());
  if (!clock_.has_origin()) clock_.SetOrigin(start_us);
  std::int64_t start_ms = clock_.Milliseconds(start_us);
  std::size_t from = 0;
  if (start_ms < 0) {
    from = std::min(samples.size(), static_cast<std::size_t>(-start_ms) * kRate / 1000);
    start_ms = 0;
  }
  while (from < samples.size()) {
    const std::size_t count = std::min(kPieceSamples, samples.size() - from);
    DecodedAudio audio;
    audio.start_ms = start_ms;
    const auto first = samples.begin() + static_cast<std::ptrdiff_t>(from);
    audio.samples.assign(first, first + static_cast<std::ptrdiff_t>(count));
    from += count;
    start_ms += static_cast<std::int64_t>(count) * 1000 / kRate;
    last_ms_ = start_ms;
    if (start_ms > context_.request.limits.max_duration_ms) {
      return base::ResourceExhausted("the sound is longer than the limit");
    }
    if (origin_ == Origin::kOwn) {
      context_.steps.BeginStep(0, "minute " + std::to_string(start_ms / 60'000 + 1),
                               context_.request.limits.cpu_seconds_a_page);
    }
    SIGHTLINE_RETURN_IF_ERROR(context_.sink.OnAudio(std::move(audio)));
  }
  return base::OkStatus();
}

}  // namespace sightline::media
