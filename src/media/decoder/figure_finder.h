// Figures and ruled tables among the graphics of a page.
#pragma once

#include <vector>

#include "media/decoder/page_content.h"
#include "media/geometry.h"

namespace sightline::media {

/// A part of a page that is drawn rather than written.
struct GraphicRegion {
  Box box;
  bool ruled_table = false;  ///< Drawn with straight rules around text; a figure otherwise.
};

/// Images and dense clusters of vector paths that are large enough to be looked at, and clusters of
/// rules that frame text. Backgrounds, underlines, frames around text and images that fill the page
/// are none. In reading order (top, then left), not overlapping.
std::vector<GraphicRegion> FindFigures(const PageContent& page);

}  // namespace sightline::media
