// The front door of the decoders: sniff, choose the type's decoder, run it.
#pragma once

#include "base/result.h"
#include "base/status.h"
#include "media/decoder.h"
#include "media/decoder/decode_context.h"
#include "media/decoder/input_file.h"

namespace sightline::media {

/// Decodes the file into `sink`. Not isolated: a damaged file may crash or exhaust this process,
/// which is why only sightline-decode, tests and benchmarks call it. `clock` may be null. Not
/// thread-safe (PDFium is not).
base::Status DecodeDocument(const InputFile& input, const DecodeRequest& request, int first_page,
                            DecodeSink& sink, StepObserver& steps, StageClock* clock = nullptr);

/// One picture, scaled so that its long side is at most `long_side_px`. A file of another kind is
/// kInvalidArgument.
base::Result<Image> DecodeOnePicture(const InputFile& input, const DecodeLimits& limits,
                                     int long_side_px);

/// One page, drawn for people: see Decoder::DrawPage.
base::Result<EncodedImage> DrawOnePage(const InputFile& input, const DrawRequest& request);

}  // namespace sightline::media
