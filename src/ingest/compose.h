// Compose: decoded pages, frames, speech and text become units.
#pragma once

#include <cstdint>
#include <functional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "ingest/draft.h"
#include "media/decoded.h"
#include "model/recognizer.h"

namespace sightline::ingest {

/// Tokens that a text takes in the text encoder.
using TokenCounter = std::function<std::size_t(std::string_view)>;

/// Content tokens of a region or passage: long enough for a thought, short enough that one
/// sentence vector means something and the frame on the page is narrow.
inline constexpr std::size_t kPassageTokens = 160;

/// A page unit, then its regions: runs of blocks up to `kPassageTokens`, tables, and figures with
/// their captions. `page.blocks` must already hold the text that OCR found. Takes pixels from
/// `page`.
std::vector<UnitDraft> ComposePage(media::DecodedPage page, const TokenCounter& count_tokens);

/// A picture file: one image unit; text in it becomes regions with boxes in pixels.
std::vector<UnitDraft> ComposePicture(media::DecodedFrame frame,
                                      std::span<const model::OcrLine> lines,
                                      const TokenCounter& count_tokens);

/// A key frame: one shot unit that starts at its time; the writer sets where it ends.
std::vector<UnitDraft> ComposeShot(media::DecodedFrame frame,
                                   std::span<const model::OcrLine> lines);

/// A cue of speech or subtitles.
struct Cue {
  std::int64_t start_ms = 0;
  std::int64_t end_ms = 0;
  std::string text;
};

/// Cues joined to passages of at most 15 s that end at sentence ends where possible; a pause of
/// 2 s always ends one.
std::vector<UnitDraft> ComposeCues(std::span<const Cue> cues, media::TextSource source);

/// Plain text cut into passages.
std::vector<UnitDraft> ComposeText(std::string_view text, const TokenCounter& count_tokens);

/// Layout blocks from the lines that OCR found on a page: lines close under each other join.
/// Boxes become points (`pixels_per_point`).
std::vector<media::LayoutBlock> BlocksFromOcr(std::span<const model::OcrLine> lines,
                                              double pixels_per_point);

}  // namespace sightline::ingest
