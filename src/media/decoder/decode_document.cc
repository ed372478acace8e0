#include "media/decoder/decode_document.h"

#include <string>

#include "media/decoder/pdf_decoder.h"
#include "media/decoder/picture_decoder.h"
#include "media/decoder/sniff.h"
#include "media/decoder/text_decoder.h"
#include "media/decoder/video_decoder.h"

namespace sightline::media {
namespace {

struct TypeDecoder {
  DocumentKind kind;
  base::Status (*decode)(const DecodeContext& context);
};

constexpr TypeDecoder kTypeDecoders[] = {
    {DocumentKind::kPdf, &DecodePdf},     {DocumentKind::kImage, &DecodePictureDocument},
    {DocumentKind::kVideo, &DecodeVideo}, {DocumentKind::kAudio, &DecodeVideo},
    {DocumentKind::kText, &DecodeText},
};

base::Status Unsupported(const SniffedType& type) {
  if (!type.refusal.empty()) {
    return base::InvalidArgument("this kind of file is not supported: " + type.refusal);
  }
  return base::InvalidArgument("not a PDF, picture, video, sound or text file");
}

base::Result<SniffedType> SniffInput(const InputFile& input) {
  if (input.size_bytes() == 0) return base::InvalidArgument("the file is empty");
  SIGHTLINE_ASSIGN_OR_RETURN(const std::string head, input.ReadPrefix(kSniffBytes));
  return Sniff(head);
}

}  // namespace

base::Status DecodeDocument(const InputFile& input, const DecodeRequest& request, int first_page,
                            DecodeSink& sink, StepObserver& steps, StageClock* clock) {
  SIGHTLINE_ASSIGN_OR_RETURN(const SniffedType type, SniffInput(input));
  for (const TypeDecoder& decoder : kTypeDecoders) {
    if (decoder.kind != type.kind) continue;
    steps.BeginStep(0, "the start of the file", kWholeDocumentCpuSeconds);
    return decoder.decode({input, request, type, first_page, sink, steps, clock});
  }
  return Unsupported(type);
}

base::Result<Image> DecodeOnePicture(const InputFile& input, const DecodeLimits& limits,
                                     int long_side_px) {
  SIGHTLINE_ASSIGN_OR_RETURN(const SniffedType type, SniffInput(input));
  if (type.kind != DocumentKind::kImage) {
    const std::string what =
        type.kind == DocumentKind::kUnknown ? type.refusal : DocumentKindName(type.kind);
    return base::InvalidArgument("not a picture" + (what.empty() ? "" : ", but: " + what));
  }
  return DecodePicture(input, type, limits, long_side_px);
}

base::Result<EncodedImage> DrawOnePage(const InputFile& input, const DrawRequest& request) {
  SIGHTLINE_ASSIGN_OR_RETURN(const SniffedType type, SniffInput(input));
  if (type.kind == DocumentKind::kPdf) return DrawPdfPage(input, request);
  if (type.kind == DocumentKind::kImage && request.page_number == 1) {
    return DrawPicture(input, type, request);
  }
  return base::NotFound("the document has no page " + std::to_string(request.page_number));
}

}  // namespace sightline::media
