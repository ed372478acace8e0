// UTF-8: checking, repairing and walking text that comes from outside.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

namespace sightline::base {

/// U+FFFD, which stands for what could not be read.
inline constexpr char32_t kReplacementCharacter = 0xFFFD;

/// A code point and the number of bytes that it was read from.
struct CodePoint {
  char32_t value = 0;
  size_t size_bytes = 0;
  /// False: the bytes are no UTF-8 and `value` is U+FFFD.
  bool valid = true;
};

/// Reads the code point at the front of `text`, which must not be empty. Of malformed bytes it
/// takes the longest part that could have begun a character, at least one byte (Unicode 15,
/// section 3.9).
CodePoint DecodeUtf8(std::string_view text);

/// Appends `code_point` as UTF-8; U+FFFD for a surrogate or a value over U+10FFFF.
void AppendUtf8(char32_t code_point, std::string& out);

/// Whether `text` is well-formed UTF-8 (no surrogates, no overlong forms, nothing over U+10FFFF).
bool IsValidUtf8(std::string_view text);

/// `text` with each malformed part and each NUL replaced by U+FFFD.
std::string SanitizeUtf8(std::string_view text);

/// Number of code points; a malformed part counts as one.
size_t CountCodePoints(std::string_view text);

/// The longest prefix of at most `max_bytes` that does not cut a code point.
std::string_view TruncateUtf8(std::string_view text, size_t max_bytes);

/// `for (char32_t c : Utf8View(text))`; malformed parts come as U+FFFD. Does not own the text.
class Utf8View {
 public:
  explicit Utf8View(std::string_view text) : text_(text) {}

  /// Input iterator over code points; `offset` is the byte at which the current one begins.
  class Iterator {
   public:
    Iterator(std::string_view text, size_t at) : text_(text), offset_(at) { Decode(); }
    char32_t operator*() const { return current_.value; }
    Iterator& operator++() {
      offset_ += current_.size_bytes;
      Decode();
      return *this;
    }
    size_t offset() const { return offset_; }
    friend bool operator==(const Iterator& a, const Iterator& b) { return a.offset_ == b.offset_; }

   private:
    void Decode() {
      if (offset_ < text_.size()) current_ = DecodeUtf8(text_.substr(offset_));
    }
    std::string_view text_;
    size_t offset_;
    CodePoint current_;
  };

  Iterator begin() const { return {text_, 0}; }
  Iterator end() const { return {text_, text_.size()}; }

 private:
  std::string_view text_;
};

}  // namespace sightline::base
