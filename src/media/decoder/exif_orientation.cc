#include "media/decoder/exif_orientation.h"

#include <cstddef>
#include <cstdint>
#include <utility>

namespace sightline::media {
namespace {

using std::string_view_literals::operator""sv;

std::uint32_t ByteAt(std::string_view bytes, std::size_t at) {
  return static_cast<unsigned char>(bytes[at]);
}

std::uint32_t BigEndian32(std::string_view bytes, std::size_t at) {
  return ByteAt(bytes, at) << 24U | ByteAt(bytes, at + 1) << 16U | ByteAt(bytes, at + 2) << 8U |
         ByteAt(bytes, at + 3);
}

std::uint32_t LittleEndian32(std::string_view bytes, std::size_t at) {
  return ByteAt(bytes, at) | ByteAt(bytes, at + 1) << 8U | ByteAt(bytes, at + 2) << 16U |
         ByteAt(bytes, at + 3) << 24U;
}

/// Reads the orientation of a TIFF block, which is what EXIF data is.
int TiffBlockOrientation(std::string_view block) {
  if (block.size() < 8) return 1;
  const bool little = block.substr(0, 4) == "II*\0"sv;
  if (!little && block.substr(0, 4) != "MM\0*"sv) return 1;
  const auto read16 = [&](std::size_t at) {
    return little ? ByteAt(block, at) | ByteAt(block, at + 1) << 8U
                  : ByteAt(block, at) << 8U | ByteAt(block, at + 1);
  };
  const std::size_t directory = little ? LittleEndian32(block, 4) : BigEndian32(block, 4);
  if (directory + 2 > block.size()) return 1;
  const std::size_t count = read16(directory);
  for (std::size_t i = 0; i < count; ++i) {
    const std::size_t entry = directory + 2 + i * 12;
    if (entry + 12 > block.size()) return 1;
    constexpr std::uint32_t kOrientationTag = 0x0112;
    if (read16(entry) != kOrientationTag) continue;
    const auto value = static_cast<int>(read16(entry + 8));
    return value >= 1 && value <= 8 ? value : 1;
  }
  return 1;
}

}  // namespace

int JpegOrientation(std::string_view file) {
  std::size_t at = 2;
  while (at + 4 <= file.size() && file[at] == '\xFF') {
    const std::uint32_t marker = ByteAt(file, at + 1);
    if (marker == 0xDA || marker == 0xD9) return 1;
    const std::size_t length = ByteAt(file, at + 2) << 8U | ByteAt(file, at + 3);
    if (length < 2 || at + 2 + length > file.size()) return 1;
    const std::string_view segment = file.substr(at + 4, length - 2);
    if (marker == 0xE1 && segment.substr(0, 6) == "Exif\0\0"sv) {
      return TiffBlockOrientation(segment.substr(6));
    }
    at += 2 + length;
  }
  return 1;
}

int PngOrientation(std::string_view file) {
  std::size_t at = 8;
  while (at + 12 <= file.size()) {
    const std::size_t length = BigEndian32(file, at);
    if (length > file.size() - at - 12) return 1;
    const std::string_view type = file.substr(at + 4, 4);
    if (type == "eXIf") return TiffBlockOrientation(file.substr(at + 8, length));
    if (type == "IEND") return 1;
    at += 12 + length;
  }
  return 1;
}

int WebpOrientation(std::string_view file) {
  std::size_t at = 12;
  while (at + 8 <= file.size()) {
    const std::size_t length = LittleEndian32(file, at + 4);
    if (length > file.size() - at - 8) return 1;
    if (file.substr(at, 4) == "EXIF") {
      std::string_view block = file.substr(at + 8, length);
      if (block.substr(0, 6) == "Exif\0\0"sv) block.remove_prefix(6);
      return TiffBlockOrientation(block);
    }
    at += 8 + length + length % 2;
  }
  return 1;
}

Image ApplyOrientation(Image image, int orientation) {
  if (orientation <= 1 || orientation > 8 || image.IsEmpty()) return image;
  const bool transposed = orientation >= 5;
  Image out;
  out.width = transposed ? image.height : image.width;
  out.height = transposed ? image.width : image.height;
  out.pixels.resize(image.pixels.size());
  const bool flip_x = orientation == 2 || orientation == 3 || orientation == 7 || orientation == 8;
  const bool flip_y = orientation == 3 || orientation == 4 || orientation == 6 || orientation == 7;
  std::size_t to = 0;
  for (int y = 0; y < out.height; ++y) {
    for (int x = 0; x < out.width; ++x) {
      int from_x = transposed ? y : x;
      int from_y = transposed ? x : y;
      if (flip_x) from_x = image.width - 1 - from_x;
      if (flip_y) from_y = image.height - 1 - from_y;
      const std::size_t from =
          (static_cast<std::size_t>(from_y) * static_cast<std::size_t>(image.width) +
           static_cast<std::size_t>(from_x)) *
          3;
      for (std::size_t channel = 0; channel < 3; ++channel) {
        out.pixels[to++] = image.pixels[from + channel];
      }
    }
  }
  return out;
}

}  // namespace sightline::media
