// For benchmarks: decodes a file in this process and says where the time went.
#pragma once

#include <cstdint>
#include <string>

#include "base/result.h"
#include "media/decoder.h"
#include "media/decoder/stage_clock.h"

namespace sightline::media {

/// One decoding, without sandbox and pipe.
struct DecodeMeasure {
  int pages = 0;
  int frames = 0;               ///< Key frames.
  std::int64_t media_ms = 0;    ///< Of video or sound that was gone through.
  double cpu_seconds = 0;       ///< All of it, all threads.
  double wall_seconds = 0;      ///< By a monotonic clock.
  std::int64_t wire_bytes = 0;  ///< Of the messages that would have gone through the pipe.
  double wire_cpu_seconds = 0;  ///< To make those messages; part of `cpu_seconds`.
  StageClock stages;
};

/// Decodes the file at `request.path`, throws everything away, and measures. One at a time in a
/// process (PDFium).
base::Result<DecodeMeasure> MeasureDecode(const DecodeRequest& request);

}  // namespace sightline::media
