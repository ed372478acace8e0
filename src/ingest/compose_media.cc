#include <string_view>
#include <utility>

#include "ingest/compose.h"
#include "media/join_lines.h"
#include "text/chunker.h"
#include "text/language.h"

namespace sightline::ingest {
namespace {

constexpr std::int64_t kMaxPassageMs = 15'000;
constexpr std::int64_t kPauseMs = 2'000;
/// A passage that is this long ends at the next sentence end.
constexpr std::int64_t kEnoughMs = 8'000;

std::string JoinOcr(std::span<const model::OcrLine> lines) {
  std::string text;
  for (const model::OcrLine& line : lines) {
    if (!text.empty()) text += '\n';
    text += line.text;
  }
  return text;
}

bool EndsSentence(std::string_view text) {
  for (const std::string_view end : {".", "!", "?", "。", "！", "？", "…"}) {
    if (text.ends_with(end)) return true;
  }
  return false;
}

UnitDraft CuePassage(std::span<const Cue> cues, media::TextSource source) {
  UnitDraft draft;
  draft.unit.kind = store::UnitKind::kPassage;
  draft.unit.source = source;
  draft.unit.locator.start_ms = cues.front().start_ms;
  draft.unit.locator.end_ms = cues.back().end_ms;
  std::vector<media::TextLine> lines;
  for (const Cue& cue : cues) lines.push_back({cue.text, {}});
  draft.unit.text = media::JoinLines(lines);
  draft.unit.language = text::DetectLanguage(draft.unit.text);
  draft.index_text = !draft.unit.text.empty();
  return draft;
}

}  // namespace

std::vector<UnitDraft> ComposePicture(media::DecodedFrame frame,
                                      std::span<const model::OcrLine> lines,
                                      const TokenCounter& count_tokens) {
  media::DecodedPage page;
  page.page_number = 1;
  page.width_pt = frame.image.width;
  page.height_pt = frame.image.height;
  page.pixels_per_point = 1;
  page.needs_ocr = true;
  page.blocks = BlocksFromOcr(lines, 1);
  page.render = std::move(frame.image);
  page.preview = std::move(frame.preview);
  std::vector<UnitDraft> drafts = ComposePage(std::move(page), count_tokens);
  drafts.front().unit.kind = store::UnitKind::kImage;
  drafts.front().concepts = true;
  // A picture is not paged; its regions keep their boxes, in pixels.
  for (UnitDraft& draft : drafts) draft.unit.locator.page = 0;
  return drafts;
}

std::vector<UnitDraft> ComposeShot(media::DecodedFrame frame,
                                   std::span<const model::OcrLine> lines) {
  std::vector<UnitDraft> drafts(1);
  UnitDraft& draft = drafts.front();
  draft.unit.kind = store::UnitKind::kShot;
  draft.unit.source = media::TextSource::kOnScreenText;
  draft.unit.locator.start_ms = frame.pts_ms;
  draft.unit.locator.end_ms = frame.pts_ms;
  draft.unit.locator.key_frame_ms = frame.pts_ms;
  draft.unit.text = JoinOcr(lines);
  draft.unit.language = text::DetectLanguage(draft.unit.text);
  draft.index_text = !draft.unit.text.empty();
  draft.concepts = true;
  draft.picture = std::move(frame.image);
  draft.preview = std::move(frame.preview);
  return drafts;
}

std::vector<UnitDraft> ComposeCues(std::span<const Cue> cues, media::TextSource source) {
  std::vector<UnitDraft> drafts;
  std::size_t begin = 0;
  for (std::size_t i = 0; i < cues.size(); ++i) {
    const std::int64_t length_ms = cues[i].end_ms - cues[begin].start_ms;
    const bool last = i + 1 == cues.size();
    const bool ends = last || cues[i + 1].start_ms - cues[i].end_ms >= kPauseMs ||
                      cues[i + 1].end_ms - cues[begin].start_ms > kMaxPassageMs ||
                      (length_ms >= kEnoughMs && EndsSentence(cues[i].text));
    if (!ends) continue;
    UnitDraft draft = CuePassage(cues.subspan(begin, i + 1 - begin), source);
    if (draft.index_text) drafts.push_back(std::move(draft));
    begin = i + 1;
  }
  return drafts;
}

std::vector<UnitDraft> ComposeText(std::string_view text, const TokenCounter& count_tokens) {
  std::vector<UnitDraft> drafts;
  const text::ChunkOptions options{.max_tokens = kPassageTokens, .good_tokens = kPassageTokens / 2};
  for (const text::Chunk& passage : text::ChunkText(text, count_tokens, options)) {
    UnitDraft draft;
    draft.unit.kind = store::UnitKind::kPassage;
    draft.unit.source = media::TextSource::kText;
    draft.unit.text = std::string(text.substr(passage.begin, passage.end - passage.begin));
    draft.unit.language = text::DetectLanguage(draft.unit.text);
    draft.index_text = true;
    drafts.push_back(std::move(draft));
  }
  return drafts;
}

}  // namespace sightline::ingest
