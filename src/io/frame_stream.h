// Frames over a pipe: a 32-bit little-endian length, then as many bytes.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <span>
#include <string>

#include "base/result.h"
#include "base/status.h"

namespace sightline::io {

/// Size of the length that goes before each frame.
inline constexpr size_t kFrameHeaderBytes = 4;

/// The header of a frame of `size_bytes`.
std::array<char, kFrameHeaderBytes> EncodeFrameHeader(uint32_t size_bytes);
/// The size that a header announces: foreign, to be bounded before anything is allocated for it.
uint32_t DecodeFrameHeader(std::span<const char, kFrameHeaderBytes> header);

/// Blocking frames over a pair of descriptors: the child's side of a sandbox. Owns neither
/// descriptor. Not thread-safe.
class FrameStream {
 public:
  /// Reads frames from `read_fd` and writes them to `write_fd`; none is longer than
  /// `max_frame_bytes`.
  FrameStream(int read_fd, int write_fd, uint32_t max_frame_bytes)
      : read_fd_(read_fd), write_fd_(write_fd), max_frame_bytes_(max_frame_bytes) {}

  /// The next frame, or nullopt at an end of stream between frames. A torn frame is kDataLoss, a
  /// longer one kResourceExhausted; nothing is allocated for it.
  base::Result<std::optional<std::string>> Read();
  /// Writes one frame whole.
  base::Status Write(std::span<const char> payload);

 private:
  int read_fd_;
  int write_fd_;
  uint32_t max_frame_bytes_;
};

}  // namespace sightline::io
