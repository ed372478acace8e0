#include "media/decoder/video_track.h"

#include <algorithm>
#include <string>
#include <utility>

#include "media/decoder/av_input.h"
#include "media/decoder/preview_encoder.h"

namespace sightline::media {
namespace {

constexpr int kDecoderThreads = 2;
constexpr std::int64_t kMaxVideoPixels = 7680LL * 4320;
// From this rate on frames that nothing refers to are not even decoded: enough others are left.
constexpr double kSkipNonReferenceFps = 20;

double FrameRate(const AVStream& stream) {
  const AVRational rate = stream.avg_frame_rate;
  return rate.den > 0 ? static_cast<double>(rate.num) / rate.den : 0;
}

}  // namespace

VideoTrack::VideoTrack(const AVStream& stream, const DecodeContext& context, TrackClock& clock)
    : stream_(stream),
      context_(context),
      clock_(clock),
      presentation_(PresentationOf(stream)),
      grey_(static_cast<std::size_t>(kGreyWidth) * kGreyHeight + 64) {}

base::Result<std::unique_ptr<VideoTrack>> VideoTrack::Open(const AVStream& stream,
                                                           const DecodeContext& context,
                                                           TrackClock& clock) {
  std::unique_ptr<VideoTrack> track(new VideoTrack(stream, context, clock));
  SIGHTLINE_ASSIGN_OR_RETURN(track->decoder_,
                             OpenStreamDecoder(stream, kDecoderThreads, kMaxVideoPixels));
  if (FrameRate(stream) >= kSkipNonReferenceFps) track->decoder_->skip_frame = AVDISCARD_NONREF;
  track->frame_.reset(av_frame_alloc());
  if (track->frame_ == nullptr) return base::ResourceExhausted("no memory for a video frame");
  return track;
}

int VideoTrack::Send(const AVPacket* packet) {
  const ScopedStage stage(context_.clock, DecodeStage::kVideo);
  return avcodec_send_packet(decoder_.get(), packet);
}

int VideoTrack::Receive() {
  const ScopedStage stage(context_.clock, DecodeStage::kVideo);
  return avcodec_receive_frame(decoder_.get(), frame_.get());
}

base::Status VideoTrack::Feed(const AVPacket* packet) {
  int error = Send(packet);
  if (error == AVERROR(ENOMEM)) return base::ResourceExhausted("no memory for a video frame");
  if (error < 0 && error != AVERROR_EOF) ++damaged_packets_;
  for (;;) {
    error = Receive();
    if (error == AVERROR(ENOMEM)) return base::ResourceExhausted("no memory for a video frame");
    if (error < 0) return base::OkStatus();
    SIGHTLINE_RETURN_IF_ERROR(OnDecoded(*frame_));
  }
}

std::int64_t VideoTrack::StampUs(const AVFrame& frame) {
  const auto stamp = TrackClock::Microseconds(frame.best_effort_timestamp, stream_.time_base);
  if (stamp) return *stamp;
  if (frames_ == 0) return 0;
  // A frame without a stamp follows the one before at the stream's rate.
  const double rate = FrameRate(stream_);
  return last_us_ + static_cast<std::int64_t>(1e6 / (rate > 0 ? rate : 25.0));
}

base::Status VideoTrack::OnDecoded(AVFrame& frame) {
  const std::int64_t stamp_us = StampUs(frame);
  if (!clock_.has_origin()) clock_.SetOrigin(stamp_us);
  ++frames_;
  last_us_ = stamp_us;
  const std::int64_t pts_ms = clock_.Milliseconds(stamp_us);
  // Time that runs backwards (a damaged stamp) is nothing to index by.
  if (pts_ms < 0 || pts_ms < last_ms_) return base::OkStatus();
  if (pts_ms > context_.request.limits.max_duration_ms) {
    return base::ResourceExhausted(
        "the video is longer than the limit of " +
        std::to_string(context_.request.limits.max_duration_ms / 3'600'000) + " h");
  }
  if (last_ms_ < 0 || pts_ms / 60'000 != last_ms_ / 60'000) {
    context_.steps.BeginStep(0, "minute " + std::to_string(pts_ms / 60'000 + 1),
                             context_.request.limits.cpu_seconds_a_page);
  }
  last_ms_ = pts_ms;
  if (!selector_.WantsToSee(pts_ms)) return base::OkStatus();
  const ScopedStage stage(context_.clock, DecodeStage::kKeyFrame);
  SIGHTLINE_RETURN_IF_ERROR(ToGrey(frame));
  const auto key =
      selector_.Look({grey_.data(), static_cast<std::size_t>(kGreyWidth) * kGreyHeight}, pts_ms);
  return key ? Emit(frame, pts_ms, *key) : base::OkStatus();
}

base::Status VideoTrack::ToGrey(const AVFrame& frame) {
  if (frame.width <= 0 || frame.height <= 0 || frame.data[0] == nullptr) {
    return base::DataLoss("a video frame without pixels");
  }
  grey_scaler_.reset(sws_getCachedContext(
      grey_scaler_.release(), frame.width, frame.height, static_cast<AVPixelFormat>(frame.format),
      kGreyWidth, kGreyHeight, AV_PIX_FMT_GRAY8, SWS_AREA, nullptr, nullptr, nullptr));
  if (grey_scaler_ == nullptr) {
    return base::DataLoss("the video's pixel format cannot be converted");
  }
  std::uint8_t* planes[4] = {grey_.data(), nullptr, nullptr, nullptr};
  const int strides[4] = {kGreyWidth, 0, 0, 0};
  if (sws_scale(grey_scaler_.get(), frame.data, frame.linesize, 0, frame.height, planes, strides) <=
      0) {
    return base::DataLoss("a video frame cannot be converted");
  }
  return base::OkStatus();
}

base::Status VideoTrack::Emit(const AVFrame& frame, std::int64_t pts_ms, const KeyFrame& key) {
  DecodedFrame decoded;
  decoded.pts_ms = pts_ms;
  decoded.motion_px = key.motion_px;
  decoded.is_cut = key.is_cut;
  decoded.cut_ms = key.cut_ms;
  // One picture for both uses when the preview may be larger than the frame is asked for.
  SIGHTLINE_ASSIGN_OR_RETURN(
      decoded.image, converter_.ToImage(frame, presentation_, context_.request.frame_long_side_px));
  SIGHTLINE_ASSIGN_OR_RETURN(decoded.preview,
                             EncodePreview(decoded.image, context_.request.preview_long_side_px));
  return context_.sink.OnFrame(std::move(decoded));
}

}  // namespace sightline::media
