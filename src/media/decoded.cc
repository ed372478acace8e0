#include "media/decoded.h"

namespace sightline::media {

const char* DocumentKindName(DocumentKind kind) {
  switch (kind) {
    case DocumentKind::kUnknown:
      return "unknown";
    case DocumentKind::kPdf:
      return "pdf";
    case DocumentKind::kImage:
      return "image";
    case DocumentKind::kVideo:
      return "video";
    case DocumentKind::kAudio:
      return "audio";
    case DocumentKind::kText:
      return "text";
  }
  return "unknown";
}

const char* TextSourceName(TextSource source) {
  switch (source) {
    case TextSource::kText:
      return "text";
    case TextSource::kOcr:
      return "ocr";
    case TextSource::kSpeech:
      return "speech";
    case TextSource::kSubtitle:
      return "subtitle";
    case TextSource::kOnScreenText:
      return "on_screen_text";
  }
  return "text";
}

}  // namespace sightline::media
