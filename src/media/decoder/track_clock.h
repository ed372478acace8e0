// One time for all tracks of a file: milliseconds from the first presented frame.
#pragma once

#include <cstdint>
#include <optional>

#include "media/decoder/av_handles.h"

namespace sightline::media {

/// Turns the stamps of every track into one time line. The origin is the first presented video
/// frame; of a file without video, the first sound. Not thread-safe.
class TrackClock {
 public:
  /// A stamp in microseconds on the file's own time line; nullopt for one without a value.
  static std::optional<std::int64_t> Microseconds(std::int64_t stamp, AVRational time_base) {
    if (stamp == AV_NOPTS_VALUE || time_base.num <= 0 || time_base.den <= 0) return std::nullopt;
    constexpr AVRational kMicro = {1, 1'000'000};
    return av_rescale_q(stamp, time_base, kMicro);
  }

  /// Whether a first frame or sound has been seen.
  bool has_origin() const { return origin_us_.has_value(); }
  /// Makes a stamp in microseconds time 0.
  void SetOrigin(std::int64_t origin_us) { origin_us_ = origin_us; }
  /// Only once there is an origin.
  std::int64_t Milliseconds(std::int64_t us) const {
    const std::int64_t from_origin = us - origin_us_.value_or(0);
    return from_origin >= 0 ? (from_origin + 500) / 1000 : -((-from_origin + 500) / 1000);
  }

 private:
  std::optional<std::int64_t> origin_us_;
};

}  // namespace sightline::media
