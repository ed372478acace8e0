// Which frames of a video stand for it: dense optical flow against the last key frame.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <span>

namespace sightline::media {

/// Size of the grey pictures that are compared.
inline constexpr int kGreyWidth = 320;
inline constexpr int kGreyHeight = 240;

/// When a frame is chosen.
struct KeyFrameOptions {
  double motion_px = 2.5;          ///< Mean flow magnitude that makes a key frame.
  std::int64_t min_gap_ms = 500;   ///< Between key frames.
  std::int64_t max_gap_ms = 1500;  ///< Forced after, unless the picture has not changed.
  std::int64_t look_ms = 125;      ///< Frames nearer to the last one looked at are passed over.
};

/// A frame that was chosen.
struct KeyFrame {
  double motion_px = 0;  ///< Mean flow against the key frame before; 0 for the first.
  bool is_cut = false;   ///< A hard cut lies since the key frame before.
  std::int64_t cut_ms = -1;
};

/// Goes through one video in presentation order. Not thread-safe.
class KeyFrameSelector {
 public:
  /// Starts before the first frame of a video.
  explicit KeyFrameSelector(const KeyFrameOptions& options = {});
  ~KeyFrameSelector();
  KeyFrameSelector(const KeyFrameSelector&) = delete;
  KeyFrameSelector& operator=(const KeyFrameSelector&) = delete;

  /// Whether `Look` wants to see a frame of this time: saves converting the others.
  bool WantsToSee(std::int64_t pts_ms) const;

  /// Looks at the frame (kGreyWidth × kGreyHeight, rows without padding); set when it is a key
  /// frame. The first frame always is.
  std::optional<KeyFrame> Look(std::span<const std::uint8_t> grey, std::int64_t pts_ms);

 private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace sightline::media
