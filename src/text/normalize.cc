#include "text/normalize.h"

#include <unicode/bytestream.h>
#include <unicode/edits.h>
#include <unicode/normalizer2.h>
#include <unicode/stringpiece.h>

#include <algorithm>

#include "text/code_points.h"
#include "text/simplified_chinese.h"

namespace sightline::text {
namespace {

bool IsAscii(std::string_view text) {
  return std::all_of(text.begin(), text.end(),
                     [](char c) { return static_cast<unsigned char>(c) < 0x80; });
}

char FoldAscii(char c) {
  if (c >= 'A' && c <= 'Z') return static_cast<char>(c - 'A' + 'a');
  return c == '\0' ? ' ' : c;
}

/// The same number of bytes, all of them valid UTF-8: each NUL and each byte that belongs to no
/// code point becomes a space, so that offsets stay what they were.
std::string Sanitize(std::string_view utf8) {
  std::string clean(utf8);
  for (size_t at = 0; at < utf8.size();) {
    const char32_t c = NextCodePoint(utf8, &at);
    if (c == 0 || c == kInvalidCodePoint) clean[at - 1] = ' ';
  }
  return clean;
}

/// The byte behind the code point at `at` of valid UTF-8.
size_t After(std::string_view text, size_t at) {
  ++at;
  while (at < text.size() && !StartsCodePoint(text[at])) ++at;
  return at;
}

const icu::Normalizer2* CaseFoldingNormalizer() {
  static const icu::Normalizer2* const kNormalizer = [] {
    UErrorCode error = U_ZERO_ERROR;
    const icu::Normalizer2* found = icu::Normalizer2::getNFKCCasefoldInstance(error);
    return U_FAILURE(error) ? nullptr : found;
  }();
  return kNormalizer;
}

bool NormalizeInto(std::string_view clean, std::string* out, icu::Edits* edits) {
  const icu::Normalizer2* normalizer = CaseFoldingNormalizer();
  if (normalizer == nullptr) return false;
  UErrorCode error = U_ZERO_ERROR;
  out->reserve(clean.size());
  icu::StringByteSink<std::string> sink(out);
  normalizer->normalizeUTF8(0, icu::StringPiece(clean.data(), static_cast<int32_t>(clean.size())),
                            sink, edits, error);
  return U_SUCCESS(error) != 0;
}

/// Appends one span for each code point of `clean[begin, end)`, each standing for itself.
void AppendOwnSpans(std::string_view clean, size_t begin, size_t end, uint32_t* code_point,
                    std::vector<SourceSpan>* spans) {
  for (size_t at = begin; at < end;) {
    const size_t next = After(clean, at);
    spans->push_back({static_cast<uint32_t>(at), static_cast<uint32_t>(next), (*code_point)++});
    at = next;
  }
}

std::vector<SourceSpan> SpansFromEdits(std::string_view clean, std::string_view folded,
                                       const icu::Edits& edits) {
  std::vector<SourceSpan> spans;
  spans.reserve(folded.size());
  uint32_t code_point = 0;
  UErrorCode error = U_ZERO_ERROR;
  icu::Edits::Iterator it = edits.getFineIterator();
  while (it.next(error) && U_SUCCESS(error)) {
    const auto begin = static_cast<size_t>(it.sourceIndex());
    const size_t end = begin + static_cast<size_t>(it.oldLength());
    if (!it.hasChange()) {
      AppendOwnSpans(clean, begin, end, &code_point, &spans);
      continue;
    }
    const auto folded_begin = static_cast<size_t>(it.destinationIndex());
    const size_t folded_end = folded_begin + static_cast<size_t>(it.newLength());
    for (size_t at = folded_begin; at < folded_end; at = After(folded, at)) {
      spans.push_back({static_cast<uint32_t>(begin), static_cast<uint32_t>(end), code_point});
    }
    for (size_t at = begin; at < end; at = After(clean, at)) ++code_point;
  }
  return spans;
}

/// Where nothing could be normalised the sanitized text stands for itself.
FoldedText Unfolded(std::string clean) {
  FoldedText result;
  uint32_t code_point = 0;
  AppendOwnSpans(clean, 0, clean.size(), &code_point, &result.spans);
  result.text = std::move(clean);
  return result;
}

}  // namespace

std::string Fold(std::string_view utf8) {
  utf8 = utf8.substr(0, kMaxFoldBytes);
  if (IsAscii(utf8)) {
    std::string folded(utf8);
    std::transform(folded.begin(), folded.end(), folded.begin(), FoldAscii);
    return folded;
  }
  std::string clean = Sanitize(utf8);
  std::string folded;
  if (!NormalizeInto(clean, &folded, nullptr)) return clean;
  ToSimplifiedInPlace(&folded);
  return folded;
}

FoldedText FoldWithOffsets(std::string_view utf8) {
  utf8 = utf8.substr(0, kMaxFoldBytes);
  FoldedText result;
  if (IsAscii(utf8)) {
    result.text = Fold(utf8);
    uint32_t code_point = 0;
    result.spans.reserve(utf8.size());
    AppendOwnSpans(utf8, 0, utf8.size(), &code_point, &result.spans);
    return result;
  }
  std::string clean = Sanitize(utf8);
  icu::Edits edits;
  if (!NormalizeInto(clean, &result.text, &edits)) return Unfolded(std::move(clean));
  result.spans = SpansFromEdits(clean, result.text, edits);
  ToSimplifiedInPlace(&result.text);
  return result;
}

base::Status FoldingStatus() {
  if (CaseFoldingNormalizer() == nullptr) {
    return base::Unavailable("ICU has no data for NFKC case folding; reinstall libicu");
  }
  return SimplifiedChineseStatus();
}

}  // namespace sightline::text
