// Video and audio files: key frames, sound, embedded subtitles.
#pragma once

#include "base/status.h"
#include "media/decoder/decode_context.h"

namespace sightline::media {

/// Decodes a media container; registered for DocumentKind::kVideo and kAudio: which of the two it
/// is depends on the streams in it. Times are from the first presented frame (or sound).
base::Status DecodeVideo(const DecodeContext& context);

}  // namespace sightline::media
