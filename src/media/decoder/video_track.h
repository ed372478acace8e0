// The pictures of a video: decode, choose key frames, convert those.
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "base/result.h"
#include "base/status.h"
#include "media/decoder/av_handles.h"
#include "media/decoder/decode_context.h"
#include "media/decoder/frame_image.h"
#include "media/decoder/key_frames.h"
#include "media/decoder/track_clock.h"

namespace sightline::media {

/// Decodes one video stream; gives key frames to the sink and sets the clock's origin. Not
/// thread-safe. References outlive it.
class VideoTrack {
 public:
  /// kDataLoss when the stream has no decoder.
  static base::Result<std::unique_ptr<VideoTrack>> Open(const AVStream& stream,
                                                        const DecodeContext& context,
                                                        TrackClock& clock);

  /// Index of the stream in its container.
  int stream_index() const { return stream_.index; }
  /// Feeds a packet of the stream, or null at the end. Damaged packets are counted, not errors.
  base::Status Feed(const AVPacket* packet);
  /// Frames that came out of the decoder.
  long frames() const { return frames_; }
  /// Packets that the decoder refused.
  long damaged_packets() const { return damaged_packets_; }
  /// Time of the last frame; -1 before the first.
  std::int64_t last_ms() const { return last_ms_; }

 private:
  VideoTrack(const AVStream& stream, const DecodeContext& context, TrackClock& clock);
  int Send(const AVPacket* packet);
  int Receive();
  base::Status OnDecoded(AVFrame& frame);
  base::Status Emit(const AVFrame& frame, std::int64_t pts_ms, const KeyFrame& key);
  std::int64_t StampUs(const AVFrame& frame);
  base::Status ToGrey(const AVFrame& frame);

  const AVStream& stream_;
  const DecodeContext& context_;
  TrackClock& clock_;
  const Presentation presentation_;
  AvCodecContext decoder_;
  AvFrame frame_;
  FrameConverter converter_;
  AvScaler grey_scaler_;
  std::vector<std::uint8_t> grey_;
  KeyFrameSelector selector_;
  std::int64_t last_us_ = 0;
  std::int64_t last_ms_ = -1;
  long frames_ = 0;
  long damaged_packets_ = 0;
};

}  // namespace sightline::media
