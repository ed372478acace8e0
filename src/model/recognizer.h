// Ports: text in pictures and speech in sound.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "base/deadline.h"
#include "base/result.h"
#include "media/geometry.h"
#include "media/image.h"

namespace sightline::model {

/// One line of text.
struct OcrLine {
  std::string text;
  media::Box box;        ///< Pixels of the picture, axis-aligned hull of the detected quad.
  float confidence = 0;  ///< Mean probability of the recognised characters, [0, 1].
};

/// Text in a picture, in reading order. Thread-safe.
class OcrEngine {
 public:
  virtual ~OcrEngine() = default;
  /// Lines in reading order; none where there is no text.
  virtual base::Result<std::vector<OcrLine>> Recognize(const media::Image& image,
                                                       const base::CancelToken& cancel) = 0;
};

/// What was said in one stretch of time.
struct SpeechSegment {
  std::int64_t start_ms = 0;
  std::int64_t end_ms = 0;
  std::string text;
  std::string language;  ///< ISO 639-1 as recognised.
};

/// Speech in 16 kHz mono samples. Thread-safe; calls are serialised inside.
class SpeechEngine {
 public:
  virtual ~SpeechEngine() = default;
  /// Times are relative to the first sample. Silence and noise give no segments.
  virtual base::Result<std::vector<SpeechSegment>> Transcribe(std::span<const float> samples,
                                                              const base::CancelToken& cancel) = 0;
};

}  // namespace sightline::model
