#include "base/utf8.h"

namespace sightline::base {
namespace {

// Table 3-7 of the Unicode Standard: how many bytes follow a first byte, and the range of the
// second.
struct Lead {
  size_t size_bytes;
  unsigned char second_low;
  unsigned char second_high;
};

Lead LeadOf(unsigned char first) {
  if (first < 0x80) return {1, 0, 0};
  if (first < 0xC2) return {0, 0, 0};
  if (first < 0xE0) return {2, 0x80, 0xBF};
  if (first == 0xE0) return {3, 0xA0, 0xBF};
  if (first == 0xED) return {3, 0x80, 0x9F};
  if (first < 0xF0) return {3, 0x80, 0xBF};
  if (first == 0xF0) return {4, 0x90, 0xBF};
  if (first < 0xF4) return {4, 0x80, 0xBF};
  if (first == 0xF4) return {4, 0x80, 0x8F};
  return {0, 0, 0};
}

}  // namespace

CodePoint DecodeUtf8(std::string_view text) {
  const auto first = static_cast<unsigned char>(text[0]);
  const Lead lead = LeadOf(first);
  if (lead.size_bytes == 1) return {first, 1, true};
  if (lead.size_bytes == 0) return {kReplacementCharacter, 1, false};
  char32_t value = first & (0x7FU >> lead.size_bytes);
  for (size_t i = 1; i < lead.size_bytes; ++i) {
    const unsigned next = i < text.size() ? static_cast<unsigned char>(text[i]) : 0U;
    const unsigned low = i == 1 ? lead.second_low : 0x80;
    const unsigned high = i == 1 ? lead.second_high : 0xBF;
    if (next < low || next > high) return {kReplacementCharacter, i, false};
    value = (value << 6) | (next & 0x3FU);
  }
  return {value, lead.size_bytes, true};
}

void AppendUtf8(char32_t code_point, std::string& out) {
  if (code_point > 0x10FFFF || (code_point >= 0xD800 && code_point <= 0xDFFF)) {
    code_point = kReplacementCharacter;
  }
  const auto tail = [&](int shift) {
    out.push_back(static_cast<char>(0x80 | ((code_point >> shift) & 0x3F)));
  };
  if (code_point < 0x80) {
    out.push_back(static_cast<char>(code_point));
  } else if (code_point < 0x800) {
    out.push_back(static_cast<char>(0xC0 | (code_point >> 6)));
    tail(0);
  } else if (code_point < 0x10000) {
    out.push_back(static_cast<char>(0xE0 | (code_point >> 12)));
    tail(6);
    tail(0);
  } else {
    out.push_back(static_cast<char>(0xF0 | (code_point >> 18)));
    tail(12);
    tail(6);
    tail(0);
  }
}

bool IsValidUtf8(std::string_view text) {
  while (!text.empty()) {
    const CodePoint c = DecodeUtf8(text);
    if (!c.valid) return false;
    text.remove_prefix(c.size_bytes);
  }
  return true;
}

std::string SanitizeUtf8(std::string_view text) {
  std::string out;
  out.reserve(text.size());
  while (!text.empty()) {
    const CodePoint c = DecodeUtf8(text);
    if (c.valid && c.value != 0) {
      out.append(text.substr(0, c.size_bytes));
    } else {
      AppendUtf8(kReplacementCharacter, out);
    }
    text.remove_prefix(c.size_bytes);
  }
  return out;
}

size_t CountCodePoints(std::string_view text) {
  size_t count = 0;
  while (!text.empty()) {
    text.remove_prefix(DecodeUtf8(text).size_bytes);
    ++count;
  }
  return count;
}

std::string_view TruncateUtf8(std::string_view text, size_t max_bytes) {
  if (text.size() <= max_bytes) return text;
  size_t end = max_bytes;
  // A code point has at most three continuation bytes; more than that is malformed and may be cut.
  for (int i = 0; i < 3 && end > 0 && (static_cast<unsigned char>(text[end]) & 0xC0) == 0x80; ++i) {
    --end;
  }
  return text.substr(0, end);
}

}  // namespace sightline::base
