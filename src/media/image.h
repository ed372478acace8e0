// A decoded picture in memory.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

namespace sightline::media {

/// 8-bit RGB pixels, rows from the top, no padding: `pixels.size() == width * height * 3`.
/// Transparent pictures are composed over white before they get here.
struct Image {
  int width = 0;
  int height = 0;
  std::vector<std::uint8_t> pixels;

  /// Whether there are no pixels.
  bool IsEmpty() const { return width <= 0 || height <= 0; }
};

/// A picture as an encoded file (WebP or JPEG), made by the decoder for people to look at.
struct EncodedImage {
  std::string media_type;  ///< "image/webp" or "image/jpeg".
  std::string bytes;
  int width = 0;   ///< pixels
  int height = 0;  ///< pixels

  /// Whether there is no file.
  bool IsEmpty() const { return bytes.empty(); }
};

}  // namespace sightline::media
