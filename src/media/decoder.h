// Port: untrusted bytes to decoded pages, frames, audio and text.
#pragma once

#include <cstdint>
#include <memory>
#include <string>

#include "base/deadline.h"
#include "base/result.h"
#include "media/decoded.h"

namespace sightline::media {

/// Receives the stream of one document, in order, on the thread that called `Decode`. Blocking in a
/// callback is how a slow consumer stops the decoder. A failed Status ends the decoding with it.
class DecodeSink {
 public:
  virtual ~DecodeSink() = default;
  /// Once, before everything else.
  virtual base::Status OnInfo(DocumentInfo info) = 0;
  /// Pages in order; damaged ones are left out.
  virtual base::Status OnPage(DecodedPage page) = 0;
  /// Key frames in order of time; of a picture document the picture, once, at 0 ms.
  virtual base::Status OnFrame(DecodedFrame frame) = 0;
  /// Pieces of sound in order of time.
  virtual base::Status OnAudio(DecodedAudio audio) = 0;
  /// Subtitle cues, or the pieces of a text file.
  virtual base::Status OnText(DecodedText text) = 0;
  /// Something of the document could not be read but the rest could ("page 12 is damaged").
  virtual base::Status OnWarning(std::string message) = 0;
};

/// Limits of one decode; every one has a test that goes one over.
struct DecodeLimits {
  int max_pages = 10'000;
  std::int64_t max_render_pixels = 16'000'000;  ///< A page.
  std::int64_t max_image_pixels = 50'000'000;
  std::int64_t max_duration_ms = 24LL * 3600 * 1000;
  std::int64_t max_memory_bytes = 1536LL << 20;
  std::int64_t max_text_bytes = 64LL << 20;  ///< Of a plain text file.
  int cpu_seconds_a_page = 20;               ///< Also a minute of video; at least 120 in all.
};

/// What to decode, and how large its pictures are wanted.
struct DecodeRequest {
  std::string path;       ///< The file; opened read-only by the caller's process.
  std::string file_name;  ///< As the user called it; used for messages and plain text only.
  int render_long_side_px = 1400;  ///< Of `DecodedPage::render` (OCR wants small print readable).
  int frame_long_side_px = 960;    ///< Of `DecodedFrame::image`.
  int preview_long_side_px = 1280;
  bool audio = true;  ///< Whether anybody wants samples.
  DecodeLimits limits;
};

/// Which page of a document to draw for people to look at, and how large.
struct DrawRequest {
  std::string path;  ///< The file; opened read-only by the caller's process.
  int page_number = 1;
  int width_px = 0;
  DecodeLimits limits;
};

/// Thread-safe: several documents may be decoded at once, each in its own process.
class Decoder {
 public:
  virtual ~Decoder() = default;

  /// Decodes the whole document into `sink`. `kInvalidArgument` and `kDataLoss` say what is wrong
  /// with the file in words for its owner ("needs a password", "not a video, PDF or image");
  /// `kResourceExhausted` and `kDeadlineExceeded` mean that it went over a limit and was killed.
  virtual base::Status Decode(const DecodeRequest& request, DecodeSink& sink,
                              const base::CancelToken& cancel) = 0;

  /// Decodes one picture (a query image), at most `limits.max_image_pixels`, scaled so that its
  /// long side is at most `long_side_px`. A file of another kind is `kInvalidArgument`.
  virtual base::Result<Image> DecodePicture(const std::string& path, int long_side_px,
                                            const base::CancelToken& cancel) = 0;

  /// Draws one page of a PDF at `width_px`, smaller where it would have more than
  /// `limits.max_render_pixels` or a side that browsers do not show. A picture is one page and is
  /// never enlarged. `kNotFound` for a page that is not there and for files without pages; other
  /// failures as with `Decode`.
  virtual base::Result<EncodedImage> DrawPage(const DrawRequest& request,
                                              const base::CancelToken& cancel) = 0;
};

}  // namespace sightline::media
