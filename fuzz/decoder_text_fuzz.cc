// What the decoder reads without a library: kinds of files, text in any encoding, cues of subtitles
// (SubRip, WebVTT, ASS), the orientation of pictures.
#include <string>

#include "base/check.h"
#include "base/utf8.h"
#include "fuzz/target.h"
#include "media/decoder/exif_orientation.h"
#include "media/decoder/sniff.h"
#include "media/decoder/subtitle_track.h"
#include "media/decoder/text_decoder.h"
#include "media/decoder/text_encoding.h"

namespace sightline::fuzz {
namespace {

void CheckPlainText(std::string_view input) {
  [[maybe_unused]] const bool looks = media::LooksLikeText(input);
  std::string encoding;
  const auto text = media::DecodeTextBytes(input, &encoding);
  if (!text.ok()) return;
  CHECK(base::IsValidUtf8(*text) && text->find('\0') == std::string::npos);
  constexpr std::size_t kMaxPieceBytes = 100;
  for (const std::string& piece : media::SplitText(*text, 20, kMaxPieceBytes)) {
    CHECK(!piece.empty() && piece.size() <= kMaxPieceBytes && base::IsValidUtf8(piece), piece);
  }
}

void CheckOrientation(int orientation) { CHECK(orientation >= 1 && orientation <= 8); }

void Run(std::string_view input) {
  [[maybe_unused]] const media::SniffedType type = media::Sniff(input);
  CheckPlainText(input);
  const std::string cue = media::SubtitleText(input);
  CHECK(base::IsValidUtf8(cue) && cue.find('\0') == std::string::npos);
  CheckOrientation(media::JpegOrientation(input));
  CheckOrientation(media::PngOrientation(input));
  CheckOrientation(media::WebpOrientation(input));
}

const Registration kTarget({.name = "decoder_text", .max_bytes = 4096, .run = &Run});

}  // namespace
}  // namespace sightline::fuzz
