// Encode: one decoded thing is composed to units and gets its vectors. Pure but for the models.
#pragma once

#include <string>
#include <vector>

#include "base/deadline.h"
#include "base/result.h"
#include "ingest/compose.h"
#include "ingest/draft.h"
#include "ingest/stage_times.h"
#include "media/decoded.h"
#include "model/models.h"

namespace sightline::ingest {

/// Subtitle cues or text pieces that belong together, so that they are cut at sense and not where
/// the decoder handed them over.
struct TextBatch {
  media::TextSource source = media::TextSource::kText;
  std::vector<media::DecodedText> pieces;
};

/// Turns decoded things into encoded items. Thread-safe: one object serves all encode threads.
class ItemEncoder {
 public:
  /// `models` must live longer. What a model that is not installed would have done is
  /// left out, with a warning on the item. `pool_factor` is that of `index::PoolingOptions`, for
  /// the token vectors of every unit.
  explicit ItemEncoder(model::Models& models, int pool_factor = 1)
      : models_(models), pool_factor_(pool_factor) {}

  /// A PDF page, read by OCR first when it has no text.
  base::Result<EncodedItem> EncodePage(media::DecodedPage page, const base::CancelToken& cancel);
  /// A picture file.
  base::Result<EncodedItem> EncodePicture(media::DecodedFrame frame,
                                          const base::CancelToken& cancel);
  /// A key frame with the text on it.
  base::Result<EncodedItem> EncodeShot(media::DecodedFrame frame, const base::CancelToken& cancel);
  /// What is said in a piece of sound.
  base::Result<EncodedItem> EncodeAudio(media::DecodedAudio audio, const base::CancelToken& cancel);
  /// Plain text or subtitles.
  base::Result<EncodedItem> EncodeText(TextBatch batch, const base::CancelToken& cancel);
  /// Units that are composed already.
  base::Result<EncodedItem> EncodeDrafts(std::vector<UnitDraft> drafts,
                                         const base::CancelToken& cancel) {
    return Finish({}, std::move(drafts), cancel);
  }

  /// CPU time spent so far.
  const StageTimes& times() const { return times_; }

 private:
  base::Result<std::vector<model::OcrLine>> ReadPicture(const media::Image& image,
                                                        EncodedItem& item,
                                                        const base::CancelToken& cancel);
  TokenCounter Counter();
  /// The drafts that `compose` makes, with the time that it takes.
  template <typename Compose>
  std::vector<UnitDraft> Timed(const Compose& compose) {
    const StageTimer timer(times_, Stage::kCompose);
    return compose();
  }
  base::Status EncodeTexts(EncodedItem& item, const base::CancelToken& cancel);
  base::Status PoolTexts(EncodedItem& item, const base::CancelToken& cancel);
  base::Status EncodePictures(EncodedItem& item, const base::CancelToken& cancel);
  base::Status EncodeDual(EncodedItem& item, const std::vector<std::size_t>& which,
                          std::vector<media::Image>& pictures, const base::CancelToken& cancel);
  base::Result<EncodedItem> Finish(EncodedItem item, std::vector<UnitDraft> drafts,
                                   const base::CancelToken& cancel);

  model::Models& models_;
  const int pool_factor_;
  StageTimes times_;
};

}  // namespace sightline::ingest
