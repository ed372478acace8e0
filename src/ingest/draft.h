// Units before they have ids: what `compose` makes of one decoded thing, and what `encode` adds.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "media/decoded.h"
#include "model/encoder.h"
#include "store/unit.h"

namespace sightline::ingest {

/// A unit with everything that is still to be done for it.
struct UnitDraft {
  store::Unit unit;  ///< `id` and `parent_id` are set by the writer.
  int parent = -1;   ///< Index of the parent in the same item; -1: the unit is its own parent.
  bool index_text = false;      ///< Its text gets text vectors and a row in the text index.
  bool concepts = false;        ///< Its picture gets a concept vector, so that words find it.
  media::Image picture;         ///< What is encoded as a picture; empty: nothing.
  media::EncodedImage preview;  ///< Empty: the parent's preview serves.
};

/// A draft with its vectors.
struct EncodedUnit {
  UnitDraft draft;
  std::string terms;  ///< Analysed text, empty when there is none.
  std::optional<model::TextEmbedding> text;
  std::optional<model::ImageEmbedding> image;
  std::optional<std::vector<float>> dual;  ///< [dims] of the dual encoder's space.
};

/// Everything that one decoded page, frame, sound or text became, in order.
struct EncodedItem {
  std::vector<EncodedUnit> units;
  std::vector<std::string> warnings;
  std::int64_t progress = 0;  ///< Pages or milliseconds that are done after this item.
};

}  // namespace sightline::ingest
