// Pictures of single lines: cutting a quad upright out of a picture, turning, splitting.
#pragma once

#include <vector>

#include "base/result.h"
#include "media/image.h"
#include "model/quad.h"

namespace sightline::model {

/// Pixels of `quad`, made rectangular; one that is at least 1.5 times as tall as wide is turned a
/// quarter counter-clockwise, so that the result is a line.
base::Result<media::Image> CropQuad(const media::Image& image, const Quad& quad);

/// A turn of the picture on the screen.
enum class Turn { kNone, kClockwise90, kHalf, kCounterClockwise90 };

/// The whole picture turned.
media::Image TurnImage(const media::Image& image, Turn turn);

/// `quad` of a picture that was turned by `turn`, in coordinates of the picture before (whose size
/// is given).
Quad UndoTurn(const Quad& quad, Turn turn, int width, int height);

/// A part of a line.
struct LinePart {
  media::Image image;
  bool space_before = false;  ///< The cut went through a gap as wide as a space.
};

/// `line` scaled to `height`; one that becomes wider than `max_width` is cut at its emptiest
/// columns into parts of at most `max_width`.
base::Result<std::vector<LinePart>> ScaleAndSplitLine(const media::Image& line, int height,
                                                      int max_width);

}  // namespace sightline::model
