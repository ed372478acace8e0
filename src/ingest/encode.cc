#include "ingest/encode.h"

#include <algorithm>
#include <utility>

#include "base/utf8.h"
#include "index/token_pooling.h"
#include "ingest/compose.h"
#include "text/analyzer.h"

namespace sightline::ingest {
namespace {

using base::CancelToken;
using base::OkStatus;
using base::Result;
using base::Status;
using base::StatusCode;

/// A model that is not installed is a warning on the document; a broken one is an error.
Status MissingIsWarning(const Status& status, std::string_view what, EncodedItem& item) {
  if (status.code() != StatusCode::kNotFound) return status;
  item.warnings.push_back(std::string(what) + ": " + status.message());
  return OkStatus();
}

/// Textures read as stray characters: a doubtful line, or a picture whose whole text is one or two
/// letters, says nothing.
void DropNoise(std::vector<model::OcrLine>& lines) {
  constexpr float kLeastConfidence = 0.5F;
  constexpr std::size_t kLeastCodePoints = 3;
  std::erase_if(lines,
                [](const model::OcrLine& line) { return line.confidence < kLeastConfidence; });
  std::size_t code_points = 0;
  for (const model::OcrLine& line : lines) code_points += base::CountCodePoints(line.text);
  const bool only_letters = code_points < kLeastCodePoints &&
                            std::all_of(lines.begin(), lines.end(), [](const model::OcrLine& line) {
                              return line.text.size() == base::CountCodePoints(line.text);
                            });
  if (only_letters) lines.clear();
}

}  // namespace

Result<std::vector<model::OcrLine>> ItemEncoder::ReadPicture(const media::Image& image,
                                                             EncodedItem& item,
                                                             const CancelToken& cancel) {
  const auto ocr = models_.Ocr();
  if (!ocr.ok()) {
    SIGHTLINE_RETURN_IF_ERROR(
        MissingIsWarning(ocr.status(), "text in pictures is not searchable", item));
    return std::vector<model::OcrLine>();
  }
  const StageTimer timer(times_, Stage::kOcr);
  SIGHTLINE_ASSIGN_OR_RETURN(std::vector<model::OcrLine> lines, (*ocr)->Recognize(image, cancel));
  DropNoise(lines);
  return lines;
}

Status ItemEncoder::EncodeTexts(EncodedItem& item, const CancelToken& cancel) {
  std::vector<model::TextInput> inputs;
  std::vector<std::size_t> which;
  for (std::size_t i = 0; i < item.units.size(); ++i) {
    EncodedUnit& unit = item.units[i];
    if (!unit.draft.index_text) continue;
    const StageTimer timer(times_, Stage::kAnalysis);
    unit.terms = text::ToIndexText(text::Analyze(unit.draft.unit.text));
    inputs.push_back({unit.draft.unit.text, model::TextRole::kPassage, unit.draft.unit.language});
    which.push_back(i);
  }
  if (inputs.empty()) return OkStatus();
  const auto encoder = models_.Text();
  if (!encoder.ok()) {
    return MissingIsWarning(encoder.status(), "text is found by its words only", item);
  }
  const StageTimer timer(times_, Stage::kText);
  SIGHTLINE_ASSIGN_OR_RETURN(std::vector<model::TextEmbedding> embeddings,
                             (*encoder)->Encode(inputs, cancel));
  for (std::size_t i = 0; i < which.size(); ++i) {
    item.units[which[i]].text = std::move(embeddings[i]);
  }
  return OkStatus();
}

Status ItemEncoder::PoolTexts(EncodedItem& item, const CancelToken& cancel) {
  if (pool_factor_ == 1) return OkStatus();
  const StageTimer timer(times_, Stage::kPooling);
  // The encoder has left special tokens out already: none is protected.
  const index::PoolingOptions options{.factor = pool_factor_};
  for (EncodedUnit& unit : item.units) {
    if (!unit.text) continue;
    model::VectorMatrix& tokens = unit.text->tokens;
    SIGHTLINE_ASSIGN_OR_RETURN(
        tokens.values,
        index::PoolTokens(tokens.values, static_cast<std::size_t>(tokens.dims), options, cancel));
  }
  return OkStatus();
}

Status ItemEncoder::EncodeDual(EncodedItem& item, const std::vector<std::size_t>& which,
                               std::vector<media::Image>& pictures, const CancelToken& cancel) {
  const auto dual = models_.Dual();
  // Optional by design: nobody is told that a model that they never asked for is absent.
  if (dual.status().code() == StatusCode::kNotFound) return OkStatus();
  if (!dual.ok()) return dual.status();
  SIGHTLINE_ASSIGN_OR_RETURN(const model::VectorMatrix vectors,
                             (*dual)->EncodeImages(pictures, cancel));
  for (std::size_t i = 0; i < which.size(); ++i) {
    const auto row = vectors.row(i);
    item.units[which[i]].dual = std::vector<float>(row.begin(), row.end());
  }
  return OkStatus();
}

Status ItemEncoder::EncodePictures(EncodedItem& item, const CancelToken& cancel) {
  std::vector<media::Image> pictures;
  std::vector<std::size_t> which;
  for (std::size_t i = 0; i < item.units.size(); ++i) {
    if (item.units[i].draft.picture.IsEmpty()) continue;
    pictures.push_back(std::move(item.units[i].draft.picture));
    which.push_back(i);
  }
  if (pictures.empty()) return OkStatus();
  const StageTimer timer(times_, Stage::kPictures);
  SIGHTLINE_RETURN_IF_ERROR(EncodeDual(item, which, pictures, cancel));
  const auto encoder = models_.Image();
  if (!encoder.ok()) {
    return MissingIsWarning(encoder.status(), "pictures are not searchable", item);
  }
  SIGHTLINE_ASSIGN_OR_RETURN(std::vector<model::ImageEmbedding> embeddings,
                             (*encoder)->Encode(pictures, cancel));
  for (std::size_t i = 0; i < which.size(); ++i) {
    EncodedUnit& unit = item.units[which[i]];
    if (unit.draft.concepts) {
      for (const model::Concept& shown : embeddings[i].top_concepts) {
        unit.draft.unit.concepts.push_back(shown.name);
      }
    } else {
      embeddings[i].concepts.clear();
    }
    unit.image = std::move(embeddings[i]);
  }
  return OkStatus();
}

Result<EncodedItem> ItemEncoder::Finish(EncodedItem item, std::vector<UnitDraft> drafts,
                                        const CancelToken& cancel) {
  item.units.reserve(drafts.size());
  for (UnitDraft& draft : drafts) {
    EncodedUnit unit;
    unit.draft = std::move(draft);
    item.units.push_back(std::move(unit));
  }
  SIGHTLINE_RETURN_IF_ERROR(EncodeTexts(item, cancel));
  SIGHTLINE_RETURN_IF_ERROR(PoolTexts(item, cancel));
  SIGHTLINE_RETURN_IF_ERROR(EncodePictures(item, cancel));
  return item;
}

TokenCounter ItemEncoder::Counter() {
  const auto encoder = models_.Text();
  // Without an encoder nothing is cut for it: four bytes a token keep passages readable.
  if (!encoder.ok()) return [](std::string_view text) { return text.size() / 4 + 1; };
  return [counter = *encoder](std::string_view text) { return counter->CountTokens(text); };
}

Result<EncodedItem> ItemEncoder::EncodePage(media::DecodedPage page, const CancelToken& cancel) {
  EncodedItem item;
  item.progress = page.page_number;
  if (page.needs_ocr) {
    SIGHTLINE_ASSIGN_OR_RETURN(const auto lines, ReadPicture(page.render, item, cancel));
    page.blocks = BlocksFromOcr(lines, page.pixels_per_point);
  }
  return Finish(std::move(item), Timed([&] { return ComposePage(std::move(page), Counter()); }),
                cancel);
}

Result<EncodedItem> ItemEncoder::EncodePicture(media::DecodedFrame frame,
                                               const CancelToken& cancel) {
  EncodedItem item;
  item.progress = 1;
  SIGHTLINE_ASSIGN_OR_RETURN(const auto lines, ReadPicture(frame.image, item, cancel));
  return Finish(std::move(item),
                Timed([&] { return ComposePicture(std::move(frame), lines, Counter()); }), cancel);
}

Result<EncodedItem> ItemEncoder::EncodeShot(media::DecodedFrame frame, const CancelToken& cancel) {
  EncodedItem item;
  item.progress = frame.pts_ms;
  SIGHTLINE_ASSIGN_OR_RETURN(const auto lines, ReadPicture(frame.image, item, cancel));
  return Finish(std::move(item), Timed([&] { return ComposeShot(std::move(frame), lines); }),
                cancel);
}

Result<EncodedItem> ItemEncoder::EncodeAudio(media::DecodedAudio audio, const CancelToken& cancel) {
  constexpr std::int64_t kSamplesPerMs = 16;
  EncodedItem item;
  item.progress = audio.start_ms + static_cast<std::int64_t>(audio.samples.size()) / kSamplesPerMs;
  const auto speech = models_.Speech();
  if (!speech.ok()) {
    SIGHTLINE_RETURN_IF_ERROR(MissingIsWarning(speech.status(), "speech is not searchable", item));
    return item;
  }
  std::optional<StageTimer> timer(std::in_place, times_, Stage::kSpeech);
  SIGHTLINE_ASSIGN_OR_RETURN(const auto segments, (*speech)->Transcribe(audio.samples, cancel));
  timer.reset();
  std::vector<Cue> cues;
  cues.reserve(segments.size());
  for (const model::SpeechSegment& segment : segments) {
    cues.push_back(
        {audio.start_ms + segment.start_ms, audio.start_ms + segment.end_ms, segment.text});
  }
  return Finish(std::move(item),
                Timed([&] { return ComposeCues(cues, media::TextSource::kSpeech); }), cancel);
}

Result<EncodedItem> ItemEncoder::EncodeText(TextBatch batch, const CancelToken& cancel) {
  EncodedItem item;
  if (batch.source == media::TextSource::kSubtitle) {
    std::vector<Cue> cues;
    cues.reserve(batch.pieces.size());
    for (media::DecodedText& piece : batch.pieces) {
      cues.push_back({piece.start_ms, piece.end_ms, std::move(piece.text)});
    }
    return Finish(std::move(item), Timed([&] { return ComposeCues(cues, batch.source); }), cancel);
  }
  std::string text;
  for (const media::DecodedText& piece : batch.pieces) {
    if (!text.empty()) text += "\n\n";
    text += piece.text;
  }
  return Finish(std::move(item), Timed([&] { return ComposeText(text, Counter()); }), cancel);
}

}  // namespace sightline::ingest
