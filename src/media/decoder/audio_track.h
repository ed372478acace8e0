// The sound of a video or audio file: 16 kHz mono pieces.
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "base/result.h"
#include "base/status.h"
#include "media/decoder/av_handles.h"
#include "media/decoder/decode_context.h"
#include "media/decoder/track_clock.h"

namespace sightline::media {

/// Decodes one audio stream and gives its samples to the sink in pieces of at most 30 s. What
/// sounds before the clock's origin is left out. Not thread-safe. References outlive it.
class AudioTrack {
 public:
  /// `sets_origin`: the file has no video, its first sound is time 0.
  enum class Origin { kFromVideo, kOwn };
  static base::Result<std::unique_ptr<AudioTrack>> Open(const AVStream& stream,
                                                        const DecodeContext& context,
                                                        TrackClock& clock, Origin origin);

  /// Index of the stream in its container.
  int stream_index() const { return stream_.index; }
  /// Feeds a packet of the stream, or null at the end, after which all samples have been sent.
  base::Status Feed(const AVPacket* packet);
  std::int64_t samples() const { return samples_; }
  std::int64_t last_ms() const { return last_ms_; }

 private:
  AudioTrack(const AVStream& stream, const DecodeContext& context, TrackClock& clock,
             Origin origin);
  base::Status OnDecoded(AVFrame& frame);
  base::Status Resample(const AVFrame* frame);
  base::Status PrepareResampler(AVFrame& frame);
  base::Status Flush();

  const AVStream& stream_;
  const DecodeContext& context_;
  TrackClock& clock_;
  const Origin origin_;
  AvCodecContext decoder_;
  AvFrame frame_;
  AvResampler resampler_;
  int rate_ = 0;
  int format_ = -1;
  AVChannelLayout layout_ = {};
  std::vector<float> piece_;
  std::int64_t piece_start_us_ = 0;
  std::int64_t samples_ = 0;
  std::int64_t last_ms_ = 0;
};

}  // namespace sightline::media
