#include "media/decoder/sniff.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <span>
#include <string>

#include "media/decoder/text_encoding.h"

namespace sightline::media {
namespace {

using std::string_view_literals::operator""sv;

struct Magic {
  std::size_t offset;
  std::string_view bytes;
  DocumentKind kind;
  std::string_view media_type;
};

constexpr auto kImage = DocumentKind::kImage;
constexpr auto kVideo = DocumentKind::kVideo;
constexpr auto kAudio = DocumentKind::kAudio;

// In the order in which they are tried; the first that fits wins.
constexpr Magic kMagics[] = {
    {0, "\xFF\xD8\xFF"sv, kImage, "image/jpeg"},
    {0, "\x89PNG\r\n\x1A\n"sv, kImage, "image/png"},
    {0, "GIF87a"sv, kImage, "image/gif"},
    {0, "GIF89a"sv, kImage, "image/gif"},
    {8, "WEBPVP8"sv, kImage, "image/webp"},
    {0, "II*\0"sv, kImage, "image/tiff"},
    {0, "MM\0*"sv, kImage, "image/tiff"},
    {0, "II+\0"sv, kImage, "image/tiff"},
    {0, "MM\0+"sv, kImage, "image/tiff"},
    {0, "8BPS\0\1"sv, kImage, "image/vnd.adobe.photoshop"},
    {0, "\0\0\0\x0CjP  \r\n\x87\n"sv, kImage, "image/jp2"},
    {0, "\xFF\x4F\xFF\x51"sv, kImage, "image/jp2"},
    {0, "qoif"sv, kImage, "image/qoi"},
    {0, "\0\0\1\0"sv, kImage, "image/vnd.microsoft.icon"},
    {4, "ftypavif"sv, kImage, "image/avif"},
    {4, "ftyp"sv, kVideo, "video/mp4"},
    {4, "moov"sv, kVideo, "video/mp4"},
    {4, "mdat"sv, kVideo, "video/mp4"},
    {4, "wide"sv, kVideo, "video/quicktime"},
    {4, "free"sv, kVideo, "video/mp4"},
    {4, "skip"sv, kVideo, "video/mp4"},
    {0, "\x1A\x45\xDF\xA3"sv, kVideo, "video/x-matroska"},
    {0, "\0\0\1\xBA"sv, kVideo, "video/mpeg"},
    {0, "\0\0\1\xB3"sv, kVideo, "video/mpeg"},
    {0, "\0\0\0\1\x67"sv, kVideo, "video/h264"},
    {0, "\0\0\0\1\x40\1"sv, kVideo, "video/h265"},
    {0, "FLV\1"sv, kVideo, "video/x-flv"},
    {0, "\x30\x26\xB2\x75\x8E\x66\xCF\x11"sv, kVideo, "video/x-ms-asf"},
    {8, "AVI LIST"sv, kVideo, "video/x-msvideo"},
    {0, "DKIF"sv, kVideo, "video/x-ivf"},
    {0, "YUV4MPEG2"sv, kVideo, "video/x-yuv4mpeg"},
    {8, "WAVEfmt"sv, kAudio, "audio/wav"},
    {8, "WAVE"sv, kAudio, "audio/wav"},
    {0, "fLaC"sv, kAudio, "audio/flac"},
    {0, "ID3"sv, kAudio, "audio/mpeg"},
    {0, "#!AMR"sv, kAudio, "audio/amr"},
    {0, "FORM"sv, kAudio, "audio/aiff"},
    {0, ".snd"sv, kAudio, "audio/basic"},
    {0, "caff"sv, kAudio, "audio/x-caf"},
};

struct Refused {
  std::size_t offset;
  std::string_view bytes;
  std::string_view what;
};

constexpr Refused kRefused[] = {
    {0, "\xD0\xCF\x11\xE0\xA1\xB1\x1A\xE1"sv, "old Microsoft Office file"},
    {0, "Rar!\x1A\x07"sv, "RAR archive"},
    {0, "7z\xBC\xAF\x27\x1C"sv, "7-Zip archive"},
    {0, "\x1F\x8B"sv, "gzip archive"},
    {0, "BZh"sv, "bzip2 archive"},
    {0, "\xFD\x37zXZ"sv, "xz archive"},
    {257, "ustar"sv, "tar archive"},
    {0, "\x7F\x45LF"sv, "program"},
    {0, "MZ"sv, "Windows program"},
    {0, "SQLite format 3"sv, "SQLite database"},
    {0, "{\\rtf"sv, "rich text document"},
    {0, "%!PS"sv, "PostScript file"},
    {0, "MThd"sv, "MIDI file"},
    {0, "wOFF"sv, "font"},
    {0, "OTTO"sv, "font"},
};

bool HasAt(std::string_view head, std::size_t offset, std::string_view bytes) {
  return head.size() >= offset + bytes.size() && head.substr(offset, bytes.size()) == bytes;
}

bool Contains(std::string_view head, std::string_view what) {
  return head.find(what) != std::string_view::npos;
}

/// Names the office formats among the zip archives: the type stands in the first entries.
std::string_view ZipRefusal(std::string_view head) {
  if (Contains(head, "mimetypeapplication/vnd.oasis.opendocument.text")) {
    return "OpenDocument text";
  }
  if (Contains(head, "mimetypeapplication/vnd.oasis.opendocument.spreadsheet")) {
    return "OpenDocument spreadsheet";
  }
  if (Contains(head, "mimetypeapplication/vnd.oasis.opendocument.presentation")) {
    return "OpenDocument presentation";
  }
  if (Contains(head, "mimetypeapplication/epub+zip")) return "EPUB book";
  if (Contains(head, "word/")) return "Word document";
  if (Contains(head, "ppt/")) return "PowerPoint presentation";
  if (Contains(head, "xl/")) return "Excel workbook";
  if (Contains(head, "[Content_Types].xml") || Contains(head, "_rels/.rels")) {
    return "Microsoft Office file";
  }
  return "zip archive";
}

/// A PDF header may stand behind some junk within the first kilobyte (ISO 32000-1, annex H.3.4.1).
bool IsPdf(std::string_view head) {
  const std::string_view front = head.substr(0, 1024 + 5);
  return Contains(front, "%PDF-") || Contains(front, "%!PS-Adobe-N.n PDF");
}

/// MPEG transport stream: the sync byte repeats every 188 (or 192) bytes.
bool IsTransportStream(std::string_view head) {
  for (const auto& [start, step] : {std::pair<std::size_t, std::size_t>{0, 188}, {4, 192}}) {
    if (head.size() < start + 4 * step + 1) continue;
    bool all = true;
    for (std::size_t i = 0; i < 5; ++i) all = all && head[start + i * step] == '\x47';
    if (all) return true;
  }
  return false;
}

bool IsPnm(std::string_view head) {
  return head.size() > 3 && head[0] == 'P' && head[1] >= '1' && head[1] <= '7' &&
         (std::isspace(static_cast<unsigned char>(head[2])) != 0);
}

bool IsBmp(std::string_view head) {
  if (head.size() < 26 || head.substr(0, 2) != "BM") return false;
  const auto header_size = static_cast<unsigned char>(head[14]);
  return head.substr(15, 3) == "\0\0\0"sv && (header_size == 12 || header_size >= 40);
}

/// MPEG audio or ADTS without a tag: eleven or twelve sync bits, then a legal header.
std::string_view RawAudioType(std::string_view head) {
  if (head.size() < 4 || head[0] != '\xFF') return {};
  const auto second = static_cast<unsigned char>(head[1]);
  const auto third = static_cast<unsigned char>(head[2]);
  if ((second & 0xF6U) == 0xF0U) return "audio/aac";
  // Layer I, which nobody uses, would look like the byte order mark of UTF-16.
  const bool mpeg = (second & 0xE0U) == 0xE0U && (second & 0x18U) != 0x08U &&
                    (second & 0x06U) != 0 && (second & 0x06U) != 0x06U &&
                    (third & 0xF0U) != 0xF0U && (third & 0x0CU) != 0x0CU;
  return mpeg ? "audio/mpeg" : std::string_view();
}

std::string LowerFront(std::string_view head) {
  std::string front(head.substr(0, 512));
  for (char& c : front) c = static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
  return front;
}

SniffedType Refuse(std::string_view what) {
  SniffedType type;
  type.refusal = what;
  return type;
}

SniffedType SniffText(std::string_view head) {
  if (!LooksLikeText(head)) return {};
  const std::string front = LowerFront(head);
  if (Contains(front, "<!doctype html") || Contains(front, "<html")) return Refuse("web page");
  if (Contains(front, "<svg")) return Refuse("SVG drawing");
  if (HasAt(front, 0, "<?xml")) return Refuse("XML file");
  return {DocumentKind::kText, "text/plain", {}};
}

SniffedType SniffOgg(std::string_view head) {
  const bool video =
      Contains(head.substr(0, 512), "theora") || Contains(head.substr(0, 512), "OVP80");
  return {video ? kVideo : kAudio, video ? "video/ogg" : "audio/ogg", {}};
}

}  // namespace

SniffedType Sniff(std::string_view head) {
  if (IsPdf(head)) return {DocumentKind::kPdf, "application/pdf", {}};
  if (HasAt(head, 0, "OggS")) return SniffOgg(head);
  if (HasAt(head, 0, "PK\3\4") || HasAt(head, 0, "PK\5\6")) return Refuse(ZipRefusal(head));
  if (HasAt(head, 0, "\x1A\x45\xDF\xA3") && Contains(head.substr(0, 64), "webm")) {
    return {kVideo, "video/webm", {}};
  }
  for (const Magic& magic : kMagics) {
    if (HasAt(head, magic.offset, magic.bytes)) {
      return {magic.kind, std::string(magic.media_type), {}};
    }
  }
  for (const Refused& refused : kRefused) {
    if (HasAt(head, refused.offset, refused.bytes)) return Refuse(refused.what);
  }
  if (IsPnm(head)) return {kImage, "image/x-portable-anymap", {}};
  if (IsBmp(head)) return {kImage, "image/bmp", {}};
  if (IsTransportStream(head)) return {kVideo, "video/mp2t", {}};
  if (const std::string_view audio = RawAudioType(head); !audio.empty()) {
    return {kAudio, std::string(audio), {}};
  }
  return SniffText(head);
}

}  // namespace sightline::media
