// Characters and graphics of a PDF page.
#pragma once

#include <fpdfview.h>

#include "media/decoder/page_content.h"

namespace sightline::media {

/// What stands on the page, in points with the origin top-left after rotation and cropping.
/// Bounded: at most 200,000 characters and 20,000 graphics. `text_page` may be null (no text).
PageContent ReadPageContent(FPDF_PAGE page, FPDF_TEXTPAGE text_page);

}  // namespace sightline::media
