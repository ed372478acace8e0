#include "media/decoder/pdf_decoder.h"

#include <fpdf_doc.h>
#include <fpdf_edit.h>

#include <algorithm>
#include <cmath>
#include <memory>
#include <string>
#include <utility>

#include "media/decoder/image_scale.h"
#include "media/decoder/layout.h"
#include "media/decoder/pdf_handles.h"
#include "media/decoder/pdf_page_content.h"
#include "media/decoder/preview_encoder.h"

namespace sightline::media {
namespace {

// Small pages (labels, receipts) are not blown up beyond 300 dpi.
constexpr double kMaxPixelsPerPoint = 300.0 / 72.0;
constexpr double kMinPagePt = 1;
constexpr double kMaxPagePt = 1e6;
// A page that is an image with less text than this is a scan with a stamp on it.
constexpr std::size_t kStampChars = 60;
constexpr double kScanShare = 0.6;

std::string MetaText(FPDF_DOCUMENT document, const char* tag) {
  return ReadPdfString([&](void* buffer, unsigned long size) {
    return FPDF_GetMetaText(document, tag, buffer, size);
  });
}

DocumentInfo ReadInfo(const DecodeContext& context, FPDF_DOCUMENT document, int page_count) {
  DocumentInfo info;
  info.kind = DocumentKind::kPdf;
  info.media_type = context.type.media_type;
  info.title = MetaText(document, "Title");
  info.page_count = page_count;
  constexpr std::pair<const char*, const char*> kTags[] = {
      {"Author", "author"},    {"Subject", "subject"},   {"Keywords", "keywords"},
      {"Creator", "creator"},  {"Producer", "producer"}, {"CreationDate", "created"},
      {"ModDate", "modified"},
  };
  for (const auto& [tag, key] : kTags) {
    std::string value = MetaText(document, tag);
    if (!value.empty()) info.metadata.emplace(key, std::move(value));
  }
  return info;
}

/// Pixels of the render: long side as asked, within the pixel limit and 300 dpi.
PixelSize RenderSize(double width_pt, double height_pt, const DecodeRequest& request) {
  const double long_side_pt = std::max(width_pt, height_pt);
  double scale = std::min(request.render_long_side_px / long_side_pt, kMaxPixelsPerPoint);
  const double limit = static_cast<double>(request.limits.max_render_pixels);
  const double pixels = width_pt * scale * height_pt * scale;
  if (pixels > limit) scale *= std::sqrt(limit / pixels);
  return {std::max(1, static_cast<int>(std::floor(width_pt * scale))),
          std::max(1, static_cast<int>(std::floor(height_pt * scale)))};
}

base::Result<Image> Render(FPDF_PAGE page, PixelSize size) {
  Image image;
  image.width = size.width;
  image.height = size.height;
  const std::size_t stride = static_cast<std::size_t>(size.width) * 4;
  std::vector<std::uint8_t> canvas(stride * static_cast<std::size_t>(size.height));
  const PdfBitmap bitmap(FPDFBitmap_CreateEx(size.width, size.height, FPDFBitmap_BGRx,
                                             canvas.data(), static_cast<int>(stride)));
  if (bitmap == nullptr) return base::ResourceExhausted("no memory for the page's picture");
  FPDFBitmap_FillRect(bitmap.get(), 0, 0, size.width, size.height, 0xFFFFFFFF);
  FPDF_RenderPageBitmap(bitmap.get(), page, 0, 0, size.width, size.height, 0, FPDF_ANNOT);
  image.pixels.resize(static_cast<std::size_t>(size.width) * static_cast<std::size_t>(size.height) *
                      3);
  const std::uint8_t* from = canvas.data();
  for (std::size_t i = 0; i < image.pixels.size(); i += 3, from += 4) {
    image.pixels[i] = from[2];
    image.pixels[i + 1] = from[1];
    image.pixels[i + 2] = from[0];
  }
  return image;
}

/// A page's size in points.
struct PageSize {
  double width_pt = 0;
  double height_pt = 0;
};

base::Result<PageSize> ReadPageSize(FPDF_PAGE page) {
  const PageSize size{FPDF_GetPageWidthF(page), FPDF_GetPageHeightF(page)};
  const bool fine = size.width_pt >= kMinPagePt && size.height_pt >= kMinPagePt &&
                    size.width_pt <= kMaxPagePt && size.height_pt <= kMaxPagePt;
  if (!fine) return base::DataLoss("has no usable size and was left out");
  return size;
}

bool IsScan(const PageContent& content) {
  if (content.chars.size() >= kStampChars) return false;
  double largest = 0;
  for (const PageGraphic& graphic : content.graphics) {
    if (graphic.kind != GraphicKind::kImage) continue;
    largest = std::max(largest, graphic.box.width * graphic.box.height);
  }
  return largest >= kScanShare * content.width * content.height;
}

class PdfDecoder {
 public:
  PdfDecoder(const DecodeContext& context, FPDF_DOCUMENT document)
      : context_(context), document_(document) {}

  base::Status Run() {
    const int page_count = FPDF_GetPageCount(document_);
    if (page_count <= 0) return base::DataLoss("the PDF is damaged: it has no readable page");
    if (page_count > context_.request.limits.max_pages) {
      return base::ResourceExhausted("the PDF has more pages than the limit of " +
                                     std::to_string(context_.request.limits.max_pages) + ": " +
                                     std::to_string(page_count));
    }
    if (context_.first_page == 1) {
      SIGHTLINE_RETURN_IF_ERROR(context_.sink.OnInfo(ReadInfo(context_, document_, page_count)));
    }
    int good = 0;
    for (int number = context_.first_page; number <= page_count; ++number) {
      const std::string name = "page " + std::to_string(number);
      context_.steps.BeginStep(number, name, context_.request.limits.cpu_seconds_a_page);
      base::Result<DecodedPage> page = DecodePage(number);
      if (page.ok()) {
        ++good;
        SIGHTLINE_RETURN_IF_ERROR(context_.sink.OnPage(*std::move(page)));
      } else {
        SIGHTLINE_RETURN_IF_ERROR(context_.sink.OnWarning(name + " " + page.status().message()));
      }
    }
    if (good == 0 && context_.first_page == 1) {
      return base::DataLoss("the PDF is damaged: none of its " + std::to_string(page_count) +
                            " pages can be read");
    }
    return base::OkStatus();
  }

 private:
  base::Result<DecodedPage> DecodePage(int number) {
    const PdfPage page(FPDF_LoadPage(document_, number - 1));
    if (page == nullptr) return base::DataLoss("is damaged and was left out");
    SIGHTLINE_ASSIGN_OR_RETURN(const PageSize page_size, ReadPageSize(page.get()));
    DecodedPage out;
    out.page_number = number;
    out.width_pt = page_size.width_pt;
    out.height_pt = page_size.height_pt;
    out.label = ReadPdfString([&](void* buffer, unsigned long size) {
      return FPDF_GetPageLabel(document_, number - 1, buffer, size);
    });
    ReadText(page.get(), out);
    {
      const ScopedStage stage(context_.clock, DecodeStage::kRender);
      const PixelSize pixels =
          RenderSize(page_size.width_pt, page_size.height_pt, context_.request);
      SIGHTLINE_ASSIGN_OR_RETURN(out.render, Render(page.get(), pixels));
    }
    out.pixels_per_point = out.render.width / page_size.width_pt;
    const ScopedStage stage(context_.clock, DecodeStage::kPreview);
    SIGHTLINE_ASSIGN_OR_RETURN(out.preview,
                               EncodePreview(out.render, context_.request.preview_long_side_px));
    return out;
  }

  void ReadText(FPDF_PAGE page, DecodedPage& out) {
    const ScopedStage stage(context_.clock, DecodeStage::kPageText);
    const PdfTextPage text_page(FPDFText_LoadPage(page));
    const PageContent content = ReadPageContent(page, text_page.get());
    const bool drawn =
        !content.chars.empty() || !content.graphics.empty() || FPDFPage_CountObjects(page) > 0;
    const bool usable = IsTextUsable(content) && !IsScan(content);
    out.needs_ocr = drawn && !usable;
    if (!usable && !content.chars.empty() && !IsTextUsable(content)) return;
    body_.Add(content);
    out.blocks = LayoutPage(content, body_);
  }

  const DecodeContext& context_;
  FPDF_DOCUMENT document_;
  BodySize body_;
};

}  // namespace

base::Status DecodePdf(const DecodeContext& context) {
  SIGHTLINE_ASSIGN_OR_RETURN(const std::unique_ptr<PdfDocument> document,
                             PdfDocument::Open(context.input));
  return PdfDecoder(context, document->get()).Run();
}

base::Result<EncodedImage> DrawPdfPage(const InputFile& input, const DrawRequest& request) {
  SIGHTLINE_ASSIGN_OR_RETURN(const std::unique_ptr<PdfDocument> document, PdfDocument::Open(input));
  if (request.page_number > FPDF_GetPageCount(document->get())) {
    return base::NotFound("the PDF has no page " + std::to_string(request.page_number));
  }
  const PdfPage page(FPDF_LoadPage(document->get(), request.page_number - 1));
  if (page == nullptr) return base::DataLoss("the page is damaged");
  SIGHTLINE_ASSIGN_OR_RETURN(const PageSize size, ReadPageSize(page.get()));
  const PixelSize pixels =
      FitWidth(size.width_pt, size.height_pt, request.width_px, request.limits.max_render_pixels);
  SIGHTLINE_ASSIGN_OR_RETURN(const Image image, Render(page.get(), pixels));
  return EncodePreview(image, std::max(pixels.width, pixels.height));
}

}  // namespace sightline::media
