#include "media/decoder/text_encoding.h"

#include <unicode/ucnv.h>
#include <unicode/ucsdet.h>

#include <algorithm>
#include <cstdint>
#include <memory>

#include "base/utf8.h"

namespace sightline::media {
namespace {

constexpr std::size_t kDetectBytes = std::size_t{64} << 10;

bool IsTextControl(unsigned char c) {
  return c == '\t' || c == '\n' || c == '\r' || c == '\f' || c == '\x1B' || c == '\b';
}

/// UTF-16 without a mark: one half of the bytes is mostly zero (Latin) while the other is not.
const char* Utf16WithoutMark(std::string_view head) {
  if (head.size() < 16 || head.size() % 2 != 0) return nullptr;
  std::size_t even_zeros = 0;
  std::size_t odd_zeros = 0;
  for (std::size_t i = 0; i + 1 < head.size(); i += 2) {
    even_zeros += head[i] == '\0' ? 1 : 0;
    odd_zeros += head[i + 1] == '\0' ? 1 : 0;
  }
  const std::size_t units = head.size() / 2;
  if (odd_zeros * 10 > units * 4 && even_zeros * 50 < units) return "UTF-16LE";
  if (even_zeros * 10 > units * 4 && odd_zeros * 50 < units) return "UTF-16BE";
  return nullptr;
}

struct Encoding {
  std::string name;
  std::size_t mark_bytes = 0;
};

bool StartsWith(std::string_view text, std::string_view with) {
  return text.substr(0, with.size()) == with;
}

Encoding MarkedEncoding(std::string_view bytes) {
  if (StartsWith(bytes, "\xEF\xBB\xBF")) return {"UTF-8", 3};
  if (StartsWith(bytes, "\xFF\xFE")) return {"UTF-16LE", 2};
  if (StartsWith(bytes, "\xFE\xFF")) return {"UTF-16BE", 2};
  return {};
}

/// Whether `head` is UTF-8 when a character cut by its end is forgiven.
bool IsUtf8Head(std::string_view head) {
  for (std::size_t cut = 0; cut <= 3 && cut < head.size(); ++cut) {
    if (base::IsValidUtf8(head.substr(0, head.size() - cut))) return true;
  }
  return false;
}

/// ICU's best guess among the encodings that Chinese and English text comes in.
std::string DetectLegacy(std::string_view head) {
  UErrorCode error = U_ZERO_ERROR;
  const std::unique_ptr<UCharsetDetector, decltype(&ucsdet_close)> detector(ucsdet_open(&error),
                                                                            &ucsdet_close);
  if (U_FAILURE(error)) return {};
  ucsdet_setText(detector.get(), head.data(), static_cast<std::int32_t>(head.size()), &error);
  std::int32_t count = 0;
  const UCharsetMatch** matches = ucsdet_detectAll(detector.get(), &count, &error);
  if (U_FAILURE(error)) return {};
  for (std::int32_t i = 0; i < count; ++i) {
    UErrorCode name_error = U_ZERO_ERROR;
    const char* name = ucsdet_getName(matches[i], &name_error);
    if (U_FAILURE(name_error) || ucsdet_getConfidence(matches[i], &name_error) < 10) continue;
    // A guess of UTF-16 or UTF-32 without a mark turns any legacy text into rare characters.
    if (!StartsWith(name, "UTF-")) return name;
  }
  return {};
}

base::Result<std::string> Convert(std::string_view bytes, const std::string& encoding) {
  UErrorCode error = U_ZERO_ERROR;
  const std::unique_ptr<UConverter, decltype(&ucnv_close)> from(ucnv_open(encoding.c_str(), &error),
                                                                &ucnv_close);
  const std::unique_ptr<UConverter, decltype(&ucnv_close)> to(ucnv_open("UTF-8", &error),
                                                              &ucnv_close);
  if (U_FAILURE(error)) return base::InvalidArgument("unknown text encoding: " + encoding);
  std::string out(bytes.size() * 3 + 16, '\0');
  char* target = out.data();
  const char* source = bytes.data();
  ucnv_convertEx(to.get(), from.get(), &target, out.data() + out.size(), &source,
                 bytes.data() + bytes.size(), nullptr, nullptr, nullptr, nullptr, 1, 1, &error);
  if (U_FAILURE(error)) return base::DataLoss("text cannot be read as " + encoding);
  out.resize(static_cast<std::size_t>(target - out.data()));
  return out;
}

std::string NormalizeLineEnds(std::string_view text) {
  std::string out;
  out.reserve(text.size());
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (text[i] == '\r') {
      out.push_back('\n');
      if (i + 1 < text.size() && text[i + 1] == '\n') ++i;
    } else {
      out.push_back(text[i]);
    }
  }
  return out;
}

}  // namespace

bool LooksLikeText(std::string_view head) {
  if (head.empty()) return false;
  if (MarkedEncoding(head).mark_bytes > 0) return head.size() > 3;
  if (Utf16WithoutMark(head.substr(0, head.size() / 2 * 2)) != nullptr) return true;
  std::size_t controls = 0;
  std::size_t high = 0;
  for (const char c : head) {
    const auto byte = static_cast<unsigned char>(c);
    controls += byte < 0x20 && !IsTextControl(byte) ? 1 : 0;
    controls += byte == 0x7F ? 1 : 0;
    high += byte >= 0x80 ? 1 : 0;
  }
  if (controls > head.size() / 500) return false;
  if (high == 0 || IsUtf8Head(head)) return true;
  return !DetectLegacy(head).empty();
}

base::Result<std::string> DecodeTextBytes(std::string_view bytes, std::string* encoding) {
  Encoding found = MarkedEncoding(bytes);
  const std::string_view head = bytes.substr(0, kDetectBytes);
  if (found.name.empty()) {
    const char* utf16 = Utf16WithoutMark(head.substr(0, head.size() / 2 * 2));
    if (utf16 != nullptr) {
      found.name = utf16;
    } else if (base::IsValidUtf8(bytes) || IsUtf8Head(head)) {
      found.name = "UTF-8";
    } else {
      found.name = DetectLegacy(head);
    }
  }
  if (found.name.empty()) return base::InvalidArgument("not a text in a known encoding");
  if (encoding != nullptr) *encoding = found.name;
  const std::string_view body = bytes.substr(found.mark_bytes);
  if (found.name == "UTF-8") return NormalizeLineEnds(base::SanitizeUtf8(body));
  SIGHTLINE_ASSIGN_OR_RETURN(const std::string converted, Convert(body, found.name));
  return NormalizeLineEnds(base::SanitizeUtf8(converted));
}

}  // namespace sightline::media
