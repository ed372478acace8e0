// PDF documents: metadata, text with boxes in reading order, rendered pages.
#pragma once

#include "base/result.h"
#include "base/status.h"
#include "media/decoder/decode_context.h"

namespace sightline::media {

/// Decodes a PDF; registered for DocumentKind::kPdf. A damaged page becomes a warning.
base::Status DecodePdf(const DecodeContext& context);

/// One page as JPEG, see Decoder::DrawPage.
base::Result<EncodedImage> DrawPdfPage(const InputFile& input, const DrawRequest& request);

}  // namespace sightline::media
