#include "media/decoder/text_decoder.h"

#include <utility>

#include "base/utf8.h"
#include "media/decoder/text_encoding.h"

namespace sightline::media {
namespace {

constexpr std::size_t kTargetBytes = 400;
constexpr std::size_t kMaxPieceBytes = 2'000;

std::string_view Trim(std::string_view text) {
  const char* kSpace = " \t\n\r\f\v";
  const std::size_t first = text.find_first_not_of(kSpace);
  if (first == std::string_view::npos) return {};
  return text.substr(first, text.find_last_not_of(kSpace) - first + 1);
}

/// Paragraphs: stretches between lines that are blank, and between page ends.
std::vector<std::string_view> Paragraphs(std::string_view text) {
  std::vector<std::string_view> paragraphs;
  std::size_t begin = 0;
  std::size_t line_begin = 0;
  const auto add = [&](std::size_t end) {
    const std::string_view paragraph = Trim(text.substr(begin, end - begin));
    if (!paragraph.empty()) paragraphs.push_back(paragraph);
  };
  while (line_begin < text.size()) {
    std::size_t line_end = text.find('\n', line_begin);
    if (line_end == std::string_view::npos) line_end = text.size();
    const std::string_view line = text.substr(line_begin, line_end - line_begin);
    if (Trim(line).empty() || line.find('\f') != std::string_view::npos) {
      add(line_begin);
      begin = line_begin;
    }
    line_begin = line_end + 1;
  }
  add(text.size());
  return paragraphs;
}

/// Where to cut a text that is longer than `max_bytes`: after a line, a sentence, a word, in that
/// order, in the second half; otherwise between two characters.
std::size_t CutPoint(std::string_view text, std::size_t max_bytes) {
  const std::string_view front = base::TruncateUtf8(text, max_bytes);
  for (const std::string_view end : {"\n", "。", ". ", "；", "，", " "}) {
    const std::size_t at = front.rfind(end);
    if (at != std::string_view::npos && at >= max_bytes / 2) return at + end.size();
  }
  return front.size();
}

}  // namespace

std::vector<std::string> SplitText(std::string_view text, std::size_t target_bytes,
                                   std::size_t max_bytes) {
  std::vector<std::string> pieces;
  bool open = false;  // whether the last piece still takes a short neighbour
  for (std::string_view paragraph : Paragraphs(text)) {
    while (paragraph.size() > max_bytes) {
      const std::size_t cut = CutPoint(paragraph, max_bytes);
      pieces.emplace_back(Trim(paragraph.substr(0, cut)));
      paragraph = Trim(paragraph.substr(cut));
      open = false;
    }
    if (paragraph.empty()) continue;
    if (open && pieces.back().size() < target_bytes &&
        pieces.back().size() + paragraph.size() + 2 <= max_bytes) {
      pieces.back().append("\n\n").append(paragraph);
    } else {
      pieces.emplace_back(paragraph);
    }
    open = true;
  }
  return pieces;
}

base::Status DecodeText(const DecodeContext& context) {
  const std::int64_t limit = context.request.limits.max_text_bytes;
  if (context.input.size_bytes() > limit) {
    return base::ResourceExhausted("the text file is larger than the limit of " +
                                   std::to_string(limit >> 20) + " MiB");
  }
  SIGHTLINE_ASSIGN_OR_RETURN(std::string bytes,
                             context.input.ReadPrefix(static_cast<std::size_t>(limit)));
  std::string encoding;
  SIGHTLINE_ASSIGN_OR_RETURN(const std::string text, DecodeTextBytes(bytes, &encoding));
  bytes = {};
  DocumentInfo info;
  info.kind = DocumentKind::kText;
  info.media_type = context.type.media_type;
  info.metadata["encoding"] = encoding;
  SIGHTLINE_RETURN_IF_ERROR(context.sink.OnInfo(std::move(info)));
  for (std::string& piece : SplitText(text, kTargetBytes, kMaxPieceBytes)) {
    DecodedText decoded;
    decoded.text = std::move(piece);
    SIGHTLINE_RETURN_IF_ERROR(context.sink.OnText(std::move(decoded)));
  }
  return base::OkStatus();
}

}  // namespace sightline::media
