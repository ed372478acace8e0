// What comes out of a decoder: the typed stream between `decode` and `compose` of the ingest flow.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "media/geometry.h"
#include "media/image.h"

namespace sightline::media {

/// What a document is, by its content.
enum class DocumentKind { kUnknown, kPdf, kImage, kVideo, kAudio, kText };

/// Stable lower-case name ("pdf", "image", …), as it stands in the catalog and the API.
const char* DocumentKindName(DocumentKind kind);

/// What is known of a document before its content is read. Always the first message of a stream.
struct DocumentInfo {
  DocumentKind kind = DocumentKind::kUnknown;
  std::string media_type;         ///< By content, never by file name: "application/pdf".
  std::string title;              ///< From the document's own metadata; may be empty.
  int page_count = 0;             ///< PDF only.
  std::int64_t duration_ms = -1;  ///< Video and audio; -1 when the file does not say.
  int width = 0;                  ///< Pixels as presented (rotation and aspect applied).
  int height = 0;
  bool has_audio = false;
  std::map<std::string, std::string> metadata;  ///< author, created, … as the file says, bounded.
};

/// What a layout block is.
enum class BlockKind { kParagraph, kHeading, kTable, kFigure, kCaption, kList, kOther };

/// A line of a layout block.
struct TextLine {
  std::string text;  ///< Valid UTF-8, no NUL.
  Box box;           ///< Points.
};

/// A layout block in reading order.
struct LayoutBlock {
  BlockKind kind = BlockKind::kParagraph;
  Box box;                      ///< Points.
  std::vector<TextLine> lines;  ///< Empty for a figure without text.
};

/// A page of a PDF.
struct DecodedPage {
  int page_number = 0;  ///< 1-based.
  std::string label;    ///< Printed label ("iv"); empty when the file has none.
  double width_pt = 0;  ///< Page size after rotation.
  double height_pt = 0;
  std::vector<LayoutBlock> blocks;
  bool needs_ocr = false;  ///< No usable text, but something is drawn.
  Image render;            ///< For encoders and OCR; long side at most the request's.
  double pixels_per_point = 0;
  EncodedImage preview;
};

/// A key frame: the picture that stands for the time until the next one.
struct DecodedFrame {
  std::int64_t pts_ms = 0;  ///< From the first presented frame.
  Image image;              ///< As presented; long side at most the request's.
  EncodedImage preview;
  double motion_px = 0;      ///< Mean optical flow against the last key frame, 320×240 grid.
  bool is_cut = false;       ///< A cut (hard change) lies between the last key frame and this.
  std::int64_t cut_ms = -1;  ///< Where, when `is_cut`.
};

/// 16 kHz mono samples in [-1, 1]; consecutive messages are contiguous unless `start_ms` says so.
struct DecodedAudio {
  std::int64_t start_ms = 0;
  std::vector<float> samples;
};

/// Where a text was read from.
enum class TextSource { kText, kOcr, kSpeech, kSubtitle, kOnScreenText };

/// Stable name ("text", "ocr", "speech", "subtitle", "on_screen_text").
const char* TextSourceName(TextSource source);

/// Subtitle cue (times set) or a piece of a plain text file (times -1).
struct DecodedText {
  TextSource source = TextSource::kText;
  std::int64_t start_ms = -1;
  std::int64_t end_ms = -1;
  std::string text;      ///< Valid UTF-8, no NUL.
  std::string language;  ///< As the file says ("zh", "eng"); may be empty.
};

}  // namespace sightline::media
