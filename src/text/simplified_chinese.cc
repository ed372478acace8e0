#include "text/simplified_chinese.h"

#include <SimpleConverter.hpp>

#include <array>
#include <atomic>
#include <exception>
#include <memory>
#include <string_view>

#include "text/code_points.h"

namespace sightline::text {
namespace {

/// OpenCC, loaded once. Its exceptions end here.
class Converter {
 public:
  Converter() {
    try {
      converter_ = std::make_unique<opencc::SimpleConverter>("t2s.json");
    } catch (const std::exception& failure) {
      status_ = base::Unavailable(std::string("OpenCC cannot load its table t2s.json; install "
                                              "libopencc-data: ") +
                                  failure.what());
    }
  }

  const base::Status& status() const { return status_; }

  /// The conversion, or `text` itself where OpenCC cannot convert it.
  std::string Convert(const std::string& text) const {
    if (!converter_) return text;
    try {
      return converter_->Convert(text);
    } catch (const std::exception&) {
      return text;  // OpenCC refuses only what is not UTF-8, which callers never pass.
    }
  }

 private:
  std::unique_ptr<opencc::SimpleConverter> converter_;
  base::Status status_;
};

const Converter& TheConverter() {
  static const Converter kConverter;
  return kConverter;
}

constexpr char32_t kFirstHan = 0x2E80;
constexpr char32_t kEndHan = 0x33480;

bool IsHan(char32_t c) {
  return (c >= 0x3400 && c <= 0x9FFF) || (c >= 0x20000 && c < kEndHan) ||
         (c >= 0xF900 && c <= 0xFAFF) || (c >= kFirstHan && c <= 0x2FDF) || c == 0x3007;
}

enum : unsigned char { kUnknown = 0, kSame = 1, kOther = 2 };

/// Whether OpenCC changes the lone character `bytes` (code point `c`); asked of OpenCC once each.
bool ChangesAlone(char32_t c, std::string_view bytes) {
  static std::array<std::atomic<unsigned char>, kEndHan - kFirstHan> known{};
  std::atomic<unsigned char>& entry = known[static_cast<size_t>(c - kFirstHan)];
  unsigned char state = entry.load(std::memory_order_relaxed);
  if (state == kUnknown) {
    const std::string alone(bytes);
    state = TheConverter().Convert(alone) == alone ? kSame : kOther;
    entry.store(state, std::memory_order_relaxed);
  }
  return state == kOther;
}

std::string ConvertEachAlone(std::string_view run) {
  std::string converted;
  for (size_t at = 0; at < run.size();) {
    const size_t begin = at;
    NextCodePoint(run, &at);
    const std::string alone(run.substr(begin, at - begin));
    const std::string single = TheConverter().Convert(alone);
    converted += CountCodePoints(single) == 1 ? single : alone;
  }
  return converted;
}

std::string ConvertRun(std::string_view run) {
  std::string converted = TheConverter().Convert(std::string(run));
  if (CountCodePoints(converted) == CountCodePoints(run)) return converted;
  return ConvertEachAlone(run);
}

}  // namespace

void ToSimplifiedInPlace(std::string* text) {
  std::string result;
  size_t copied = 0;
  const std::string_view source = *text;
  for (size_t at = 0; at < source.size();) {
    const size_t begin = at;
    size_t end = begin;
    bool changes = false;
    while (at < source.size()) {
      const char32_t c = NextCodePoint(source, &at);
      if (!IsHan(c)) break;
      changes = ChangesAlone(c, source.substr(end, at - end)) || changes;
      end = at;
    }
    if (!changes) continue;
    result.append(source, copied, begin - copied);
    result += ConvertRun(source.substr(begin, end - begin));
    copied = end;
  }
  if (copied == 0) return;
  result.append(*text, copied, std::string::npos);
  *text = std::move(result);
}

base::Status SimplifiedChineseStatus() { return TheConverter().status(); }

}  // namespace sightline::text
