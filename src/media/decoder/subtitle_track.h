// Subtitles inside a video: text cues with their times.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "base/status.h"
#include "media/decoder/av_handles.h"
#include "media/decoder/decode_context.h"
#include "media/decoder/track_clock.h"

namespace sightline::media {

/// The text of an ASS event or of a plain cue: styles and drawings stripped, "\N" as line ends, one
/// space for runs of them.
std::string SubtitleText(std::string_view event);

/// Decodes one text subtitle stream. Cues wait until the clock has an origin. Not thread-safe.
class SubtitleTrack {
 public:
  /// Whether the stream holds text (not pictures of text) that FFmpeg decodes.
  static bool IsText(const AVStream& stream);
  /// kDataLoss when the stream has no decoder.
  static base::Result<std::unique_ptr<SubtitleTrack>> Open(const AVStream& stream,
                                                           const DecodeContext& context,
                                                           TrackClock& clock);

  /// Index of the stream in its container.
  int stream_index() const { return stream_.index; }
  /// Feeds a packet of the stream, or null at the end.
  base::Status Feed(AVPacket* packet);

 private:
  struct Cue {
    std::int64_t start_us = 0;
    std::int64_t end_us = 0;
    std::string text;
  };

  SubtitleTrack(const AVStream& stream, const DecodeContext& context, TrackClock& clock)
      : stream_(stream), context_(context), clock_(clock) {}
  base::Status SendWaiting();

  const AVStream& stream_;
  const DecodeContext& context_;
  TrackClock& clock_;
  AvCodecContext decoder_;
  std::string language_;
  std::vector<Cue> waiting_;
  std::int64_t text_bytes_ = 0;
};

}  // namespace sightline::media
