// PDFium's handles, owned. PDFium is not thread-safe: one thread of the process uses it.
#pragma once

#include <fpdf_text.h>
#include <fpdfview.h>

#include <memory>
#include <string>
#include <type_traits>

#include "base/result.h"
#include "media/decoder/input_file.h"

namespace sightline::media {

/// Deleter of a document handle.
struct CloseDocument {
  void operator()(FPDF_DOCUMENT document) const { FPDF_CloseDocument(document); }
};
/// Deleter of PdfPage.
struct ClosePage {
  void operator()(FPDF_PAGE page) const { FPDF_ClosePage(page); }
};
/// Deleter of PdfTextPage.
struct CloseTextPage {
  void operator()(FPDF_TEXTPAGE page) const { FPDFText_ClosePage(page); }
};
/// Deleter of PdfBitmap.
struct DestroyBitmap {
  void operator()(FPDF_BITMAP bitmap) const { FPDFBitmap_Destroy(bitmap); }
};

using PdfPage = std::unique_ptr<std::remove_pointer_t<FPDF_PAGE>, ClosePage>;
using PdfTextPage = std::unique_ptr<std::remove_pointer_t<FPDF_TEXTPAGE>, CloseTextPage>;
using PdfBitmap = std::unique_ptr<std::remove_pointer_t<FPDF_BITMAP>, DestroyBitmap>;

/// An open document that reads from `input`, which must outlive it.
class PdfDocument {
 public:
  /// kInvalidArgument "needs a password"; kDataLoss when PDFium cannot read it.
  static base::Result<std::unique_ptr<PdfDocument>> Open(const InputFile& input);

  /// PDFium's handle, valid as long as this.
  FPDF_DOCUMENT get() const { return document_.get(); }

 private:
  explicit PdfDocument(const InputFile& input) : input_(input) {}
  static int ReadBlock(void* self, unsigned long position, unsigned char* out, unsigned long size);

  const InputFile& input_;
  FPDF_FILEACCESS access_ = {};
  std::unique_ptr<std::remove_pointer_t<FPDF_DOCUMENT>, CloseDocument> document_;
};

/// UTF-16LE with a closing NUL, as PDFium writes it, to UTF-8.
std::string FromPdfUtf16(const std::string& bytes);

/// PDFium's UTF-16LE strings: `read` is called with a buffer and its size in bytes and returns the
/// size that it needs. At most 64 KiB; UTF-8 comes out.
template <typename Read>
std::string ReadPdfString(Read read) {
  constexpr unsigned long kMaxBytes = 64 * 1024;
  const unsigned long size = read(nullptr, 0UL);
  if (size <= 2 || size > kMaxBytes) return {};
  std::string bytes(size, '\0');
  const unsigned long written = read(bytes.data(), size);
  if (written > size) return {};
  return FromPdfUtf16(bytes);
}

}  // namespace sightline::media
