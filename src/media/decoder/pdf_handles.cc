#include "media/decoder/pdf_handles.h"

#include <cstdint>

#include "base/utf8.h"

namespace sightline::media {
namespace {

/// PDFium is set up at the first use and stays until the process ends.
void InitPdfium() {
  static const bool done = [] {
    FPDF_LIBRARY_CONFIG config = {};
    config.version = 2;
    FPDF_InitLibraryWithConfig(&config);
    return true;
  }();
  static_cast<void>(done);
}

base::Status OpenError(unsigned long error) {
  switch (error) {
    case FPDF_ERR_PASSWORD:
      return base::InvalidArgument(
          "the PDF needs a password: save a copy without a password and add that");
    case FPDF_ERR_SECURITY:
      return base::InvalidArgument("the PDF is encrypted in a way that is not supported");
    case FPDF_ERR_FORMAT:
      return base::DataLoss("the PDF is damaged: its structure cannot be read");
    default:
      return base::DataLoss("the PDF cannot be read: PDFium error " + std::to_string(error));
  }
}

}  // namespace

int PdfDocument::ReadBlock(void* self, unsigned long position, unsigned char* out,
                           unsigned long size) {
  const auto* document = static_cast<const PdfDocument*>(self);
  const auto got = document->input_.ReadAt(static_cast<std::int64_t>(position), {out, size});
  return got.ok() && *got == size ? 1 : 0;
}

base::Result<std::unique_ptr<PdfDocument>> PdfDocument::Open(const InputFile& input) {
  InitPdfium();
  std::unique_ptr<PdfDocument> opened(new PdfDocument(input));
  opened->access_.m_FileLen = static_cast<unsigned long>(input.size_bytes());
  opened->access_.m_GetBlock = &PdfDocument::ReadBlock;
  opened->access_.m_Param = opened.get();
  opened->document_.reset(FPDF_LoadCustomDocument(&opened->access_, nullptr));
  if (opened->document_ == nullptr) return OpenError(FPDF_GetLastError());
  return opened;
}

std::string FromPdfUtf16(const std::string& bytes) {
  std::string text;
  for (std::size_t i = 0; i + 1 < bytes.size(); i += 2) {
    const auto unit = [&](std::size_t at) {
      return static_cast<char32_t>(static_cast<unsigned char>(bytes[at])) |
             static_cast<char32_t>(static_cast<unsigned char>(bytes[at + 1])) << 8U;
    };
    char32_t code = unit(i);
    if (code == 0) break;
    if (code >= 0xD800 && code < 0xDC00 && i + 3 < bytes.size()) {
      const char32_t low = unit(i + 2);
      if (low >= 0xDC00 && low < 0xE000) {
        code = 0x10000 + ((code - 0xD800) << 10U) + (low - 0xDC00);
        i += 2;
      }
    }
    base::AppendUtf8(code, text);
  }
  return text;
}

}  // namespace sightline::media
