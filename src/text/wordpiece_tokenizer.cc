#include "text/wordpiece_tokenizer.h"

#include <unicode/normalizer2.h>
#include <unicode/uchar.h>
#include <unicode/unistr.h>

#include <algorithm>
#include <limits>

#include "text/code_points.h"
#include "text/term_letters.h"
#include "text/wordpiece_reader.h"

namespace sightline::text {
namespace {

constexpr size_t kMaxFileBytes = size_t{64} << 20;

bool IsMask(char32_t c, uint32_t mask) {
  return (U_MASK(u_charType(static_cast<UChar32>(c))) & mask) != 0;
}

/// Unicode White_Space, as Rust's `char::is_whitespace`.
bool IsWhitespace(char32_t c) { return u_isUWhiteSpace(static_cast<UChar32>(c)) != 0; }

/// Categories that BertNormalizer removes: control, format, private use; not the unassigned.
bool IsRemoved(char32_t c) {
  if (c == U'\t' || c == U'\n' || c == U'\r') return false;
  return c == 0 || c == 0xFFFD || IsMask(c, U_GC_CC_MASK | U_GC_CF_MASK | U_GC_CO_MASK);
}

/// The ranges that BERT calls Chinese characters.
bool IsBertHan(char32_t c) {
  return (c >= 0x4E00 && c <= 0x9FFF) || (c >= 0x3400 && c <= 0x4DBF) ||
         (c >= 0x20000 && c <= 0x2A6DF) || (c >= 0x2A700 && c <= 0x2B73F) ||
         (c >= 0x2B740 && c <= 0x2B81F) || (c >= 0x2B920 && c <= 0x2CEAF) ||
         (c >= 0xF900 && c <= 0xFAFF) || (c >= 0x2F800 && c <= 0x2FA1F);
}

bool IsPunctuation(char32_t c) {
  const bool ascii = (c >= 33 && c <= 47) || (c >= 58 && c <= 64) || (c >= 91 && c <= 96) ||
                     (c >= 123 && c <= 126);
  return ascii || IsMask(c, U_GC_P_MASK);
}

/// Lower case of one code point without context, as Rust's `char::to_lowercase`.
void AppendLower(char32_t c, std::u32string* out) {
  if (c == 0x130) {
    out->append({U'i', 0x307});
    return;
  }
  out->push_back(static_cast<char32_t>(u_tolower(static_cast<UChar32>(c))));
}

/// Appends the canonical decomposition of `c` without its marks.
void AppendWithoutAccents(char32_t c, std::u32string* out) {
  UErrorCode error = U_ZERO_ERROR;
  const icu::Normalizer2* nfd = icu::Normalizer2::getNFDInstance(error);
  icu::UnicodeString decomposed;
  const auto code_point = static_cast<UChar32>(c);
  if (U_FAILURE(error) || nfd->getDecomposition(code_point, decomposed) == 0) {
    decomposed.setTo(code_point);
  }
  for (int32_t i = 0; i < decomposed.length(); i = decomposed.moveIndex32(i, 1)) {
    const auto part = static_cast<char32_t>(decomposed.char32At(i));
    if (!IsMask(part, U_GC_MN_MASK)) out->push_back(part);
  }
}

}  // namespace

base::Result<std::unique_ptr<WordPieceTokenizer>> WordPieceTokenizer::Load(
    const std::string& path) {
  SIGHTLINE_ASSIGN_OR_RETURN(const std::string json, ReadTokenizerFile(path, kMaxFileBytes));
  base::Result<std::unique_ptr<WordPieceTokenizer>> loaded = FromJson(json);
  if (!loaded.ok()) return loaded.status().WithContext(path);
  return loaded;
}

base::Result<std::unique_ptr<WordPieceTokenizer>> WordPieceTokenizer::FromJson(
    std::string_view json) {
  boost::json::error_code error;
  boost::json::value root =
      boost::json::parse(boost::json::string_view(json.data(), json.size()), error);
  if (error) return base::DataLoss("tokenizer.json is not JSON: " + error.message());
  return WordPieceReader().Read(root);
}

void WordPieceTokenizer::AppendWord(std::string_view word, std::vector<int32_t>* ids) const {
  if (CountCodePoints(word) > max_word_code_points_) {
    ids->push_back(unknown_);
    return;
  }
  const size_t first = ids->size();
  std::string piece;
  for (size_t begin = 0; begin < word.size();) {
    const std::string_view prefix =
        begin == 0 ? std::string_view() : std::string_view(continuation_);
    size_t end = std::min(word.size(), begin + longest_piece_bytes_);
    while (end > begin && end < word.size() && !StartsCodePoint(word[end])) --end;
    int32_t id = -1;
    while (end > begin) {
      piece.assign(prefix).append(word.substr(begin, end - begin));
      const auto found = vocabulary_.find(piece);
      if (found != vocabulary_.end()) {
        id = found->second;
        break;
      }
      --end;
      while (end > begin && !StartsCodePoint(word[end])) --end;
    }
    if (id < 0) {
      ids->resize(first);
      ids->push_back(unknown_);
      return;
    }
    ids->push_back(id);
    begin = end;
  }
}

void WordPieceTokenizer::Content(std::string_view text, size_t limit,
                                 std::vector<int32_t>* ids) const {
  std::string word;
  const auto flush = [&] {
    if (!word.empty()) AppendWord(word, ids);
    word.clear();
  };
  std::u32string plain;
  std::u32string folded;
  for (size_t at = 0; at < text.size() && ids->size() < limit;) {
    const char32_t c = NextCodePoint(text, &at);
    const bool is_text = c != kInvalidCodePoint;
    if (is_text && cleans_text_ && IsRemoved(c)) continue;
    if (!is_text || IsWhitespace(c)) {
      flush();
      continue;
    }
    if (separates_han_ && IsBertHan(c)) flush();
    plain.clear();
    folded.clear();
    if (strips_accents_) {
      AppendWithoutAccents(c, &plain);
    } else {
      plain.push_back(c);
    }
    for (const char32_t part : plain) {
      if (lowercases_) {
        AppendLower(part, &folded);
      } else {
        folded.push_back(part);
      }
    }
    for (const char32_t part : folded) {
      const bool alone = IsPunctuation(part);
      if (alone) flush();
      // A word too long for the vocabulary is unknown however it goes on: its rest is not kept.
      if (word.size() <= max_word_code_points_ * 4) AppendUtf8({&part, 1}, &word);
      if (alone) flush();
    }
    if (separates_han_ && IsBertHan(c)) flush();
  }
  flush();
  if (ids->size() > limit) ids->resize(limit);
}

base::Result<std::vector<int32_t>> WordPieceTokenizer::Encode(std::string_view text,
                                                              size_t max_tokens) const {
  if (max_tokens < 2) return base::InvalidArgument("no room for start and end: max_tokens below 2");
  std::vector<int32_t> ids{cls_};
  Content(text, max_tokens - 1, &ids);
  ids.push_back(sep_);
  return ids;
}

size_t WordPieceTokenizer::CountTokens(std::string_view text) const {
  std::vector<int32_t> ids;
  Content(text, std::numeric_limits<size_t>::max(), &ids);
  return ids.size() + 2;
}

}  // namespace sightline::text
