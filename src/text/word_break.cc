#include "text/word_break.h"

#include <unicode/brkiter.h>
#include <unicode/locid.h>
#include <unicode/utext.h>

#include <algorithm>
#include <memory>

namespace sightline::text {
namespace {

using Factory = icu::BreakIterator* (*)(const icu::Locale&, UErrorCode&);

std::unique_ptr<icu::BreakIterator> Make(Factory factory) {
  UErrorCode error = U_ZERO_ERROR;
  std::unique_ptr<icu::BreakIterator> made(factory(icu::Locale::getRoot(), error));
  if (U_FAILURE(error)) made.reset();
  return made;
}

/// Closes a UText whatever happens between.
class ScopedText {
 public:
  ScopedText() = default;
  ScopedText(const ScopedText&) = delete;
  ScopedText& operator=(const ScopedText&) = delete;
  ~ScopedText() { utext_close(&text_); }
  UText* get() { return &text_; }

 private:
  UText text_ = UTEXT_INITIALIZER;
};

template <typename Offset>
std::vector<Offset> Ends(icu::BreakIterator* iterator, UText* text, size_t size) {
  std::vector<Offset> ends;
  if (size == 0) return ends;
  UErrorCode error = U_ZERO_ERROR;
  if (iterator != nullptr) iterator->setText(text, error);
  if (iterator != nullptr && U_SUCCESS(error)) {
    for (int32_t at = iterator->first(); (at = iterator->next()) != icu::BreakIterator::DONE;) {
      ends.push_back(static_cast<Offset>(at));
    }
  }
  if (ends.empty() || static_cast<size_t>(ends.back()) != size) {
    ends.push_back(static_cast<Offset>(size));
  }
  return ends;
}

}  // namespace

std::vector<int32_t> WordEnds(std::u16string_view text) {
  thread_local const std::unique_ptr<icu::BreakIterator> iterator =
      Make(icu::BreakIterator::createWordInstance);
  UErrorCode error = U_ZERO_ERROR;
  ScopedText source;
  utext_openUChars(source.get(), text.data(), static_cast<int64_t>(text.size()), &error);
  return Ends<int32_t>(U_SUCCESS(error) ? iterator.get() : nullptr, source.get(), text.size());
}

std::vector<size_t> SentenceEnds(std::string_view utf8) {
  thread_local const std::unique_ptr<icu::BreakIterator> iterator =
      Make(icu::BreakIterator::createSentenceInstance);
  UErrorCode error = U_ZERO_ERROR;
  ScopedText source;
  utext_openUTF8(source.get(), utf8.data(), static_cast<int64_t>(utf8.size()), &error);
  return Ends<size_t>(U_SUCCESS(error) ? iterator.get() : nullptr, source.get(), utf8.size());
}

}  // namespace sightline::text
