#include "text/bpe_tokenizer.h"

#include <unicode/bytestream.h>
#include <unicode/normalizer2.h>
#include <unicode/stringpiece.h>
#include <unicode/uchar.h>

#include <algorithm>
#include <boost/json.hpp>
#include <limits>
#include <queue>

#include "text/code_points.h"
#include "text/term_letters.h"

namespace sightline::text {
namespace {

constexpr size_t kMaxFileBytes = size_t{32} << 20;
constexpr size_t kMaxVocabulary = size_t{1} << 21;
/// A word (one run of letters or signs) is cut after so many bytes.
constexpr size_t kMaxWordBytes = size_t{64} << 10;
constexpr size_t kBlockBytes = size_t{16} << 10;
constexpr std::string_view kEndOfWord = "</w>";

/// How byte-level vocabularies write a byte: printable Latin-1 as itself, the others from U+0100
/// on.
std::array<std::string, 256> ByteNames() {
  std::array<std::string, 256> names;
  char32_t next = 0x100;
  for (char32_t byte = 0; byte < 256; ++byte) {
    const bool printable =
        (byte >= 33 && byte <= 126) || (byte >= 161 && byte <= 172) || (byte >= 174 && byte <= 255);
    const char32_t name = printable ? byte : next++;
    AppendUtf8({&name, 1}, &names[byte]);
  }
  return names;
}

uint64_t PairKey(int32_t left, int32_t right) {
  return (uint64_t{static_cast<uint32_t>(left)} << 32) | static_cast<uint32_t>(right);
}

enum class Kind { kSpace, kLetter, kNumber, kSign };

Kind KindOf(char32_t c) {
  const auto code_point = static_cast<UChar32>(c);
  if (u_isUWhiteSpace(code_point) != 0) return Kind::kSpace;
  const uint32_t mask = U_MASK(u_charType(code_point));
  if ((mask & U_GC_L_MASK) != 0) return Kind::kLetter;
  return (mask & U_GC_N_MASK) != 0 ? Kind::kNumber : Kind::kSign;
}

/// NFC, then lower case without context; bytes that are not UTF-8 become spaces.
std::string NormalizeBlock(std::string_view block) {
  std::string clean(block);
  for (size_t at = 0; at < block.size();) {
    if (NextCodePoint(block, &at) == kInvalidCodePoint) clean[at - 1] = ' ';
  }
  std::string normal;
  UErrorCode error = U_ZERO_ERROR;
  const icu::Normalizer2* nfc = icu::Normalizer2::getNFCInstance(error);
  if (U_SUCCESS(error) != 0) {
    icu::StringByteSink<std::string> sink(&normal);
    nfc->normalizeUTF8(0, icu::StringPiece(clean.data(), static_cast<int32_t>(clean.size())), sink,
                       nullptr, error);
  }
  if (U_FAILURE(error) != 0) normal = clean;
  std::u32string lower;
  for (size_t at = 0; at < normal.size();) {
    const char32_t c = NextCodePoint(normal, &at);
    if (c == 0x130) {
      lower.append({U'i', 0x307});  // the one unconditional special case of lower casing
    } else {
      lower.push_back(static_cast<char32_t>(u_tolower(static_cast<UChar32>(c))));
    }
  }
  std::string result;
  AppendUtf8(lower, &result);
  return result;
}

/// Length of a contraction at the start of `text`, or 0. (The pattern names the special tokens too,
/// but in text the reference takes them apart into signs and letters: tests/golden.)
size_t ContractionSize(std::string_view text) {
  for (const std::string_view suffix : {"'s", "'t", "'re", "'ve", "'m", "'ll", "'d"}) {
    if (text.starts_with(suffix)) return suffix.size();
  }
  return 0;
}

/// The end of the word of CLIP's pattern that starts at `begin`, which is no space.
size_t WordEnd(std::string_view text, size_t begin) {
  const size_t contraction = ContractionSize(text.substr(begin));
  if (contraction > 0) return begin + contraction;
  size_t end = begin;
  const Kind kind = KindOf(NextCodePoint(text, &end));
  if (kind == Kind::kNumber) return end;
  while (end < text.size() && end - begin < kMaxWordBytes) {
    size_t next = end;
    if (KindOf(NextCodePoint(text, &next)) != kind) break;
    end = next;
  }
  return end;
}

/// Symbols of one word as a linked list, so that a merge costs O(1).
struct Symbol {
  int32_t id;
  int32_t previous;
  int32_t next;
};

struct Candidate {
  int32_t rank;
  int32_t left;
  int32_t right;
  int32_t left_id;
  int32_t right_id;
  int32_t merged;
  /// Lowest rank first, then leftmost.
  bool operator<(const Candidate& other) const {
    return rank != other.rank ? rank > other.rank : left > other.left;
  }
};

}  // namespace

base::Result<std::unique_ptr<BpeTokenizer>> BpeTokenizer::Load(const std::string& vocabulary_path,
                                                               const std::string& merges_path) {
  SIGHTLINE_ASSIGN_OR_RETURN(const std::string vocabulary,
                             ReadTokenizerFile(vocabulary_path, kMaxFileBytes));
  SIGHTLINE_ASSIGN_OR_RETURN(const std::string merges,
                             ReadTokenizerFile(merges_path, kMaxFileBytes));
  base::Result<std::unique_ptr<BpeTokenizer>> loaded = FromText(vocabulary, merges);
  if (!loaded.ok()) return loaded.status().WithContext(vocabulary_path + ", " + merges_path);
  return loaded;
}

base::Result<std::unique_ptr<BpeTokenizer>> BpeTokenizer::FromText(std::string_view vocabulary_json,
                                                                   std::string_view merges) {
  boost::json::error_code error;
  const boost::json::value root = boost::json::parse(
      boost::json::string_view(vocabulary_json.data(), vocabulary_json.size()), error);
  if (error) return base::DataLoss("BPE vocabulary is not JSON: " + error.message());
  const boost::json::object* object = root.if_object();
  if (object == nullptr || object->size() > kMaxVocabulary) {
    return base::DataLoss("BPE vocabulary is no JSON object of an allowed size");
  }
  Vocabulary vocabulary;
  for (const auto& [piece, id] : *object) {
    if (!id.is_int64() || id.get_int64() < 0 ||
        id.get_int64() > std::numeric_limits<int32_t>::max()) {
      return base::DataLoss("an id of the BPE vocabulary is no id: " + std::string(piece));
    }
    vocabulary.emplace(std::string(piece), static_cast<int32_t>(id.get_int64()));
  }
  const auto start = vocabulary.find("<|startoftext|>");
  const auto end = vocabulary.find("<|endoftext|>");
  if (start == vocabulary.end() || end == vocabulary.end()) {
    return base::DataLoss("BPE vocabulary lacks <|startoftext|> or <|endoftext|>");
  }
  std::unique_ptr<BpeTokenizer> tokenizer(new BpeTokenizer());
  tokenizer->start_ = start->second;
  tokenizer->end_ = end->second;
  SIGHTLINE_RETURN_IF_ERROR(tokenizer->ReadBytes(vocabulary));
  SIGHTLINE_RETURN_IF_ERROR(tokenizer->ReadMerges(vocabulary, merges));
  return tokenizer;
}

base::Status BpeTokenizer::ReadBytes(const Vocabulary& vocabulary) {
  const std::array<std::string, 256> names = ByteNames();
  for (size_t byte = 0; byte < names.size(); ++byte) {
    const auto inside = vocabulary.find(names[byte]);
    const auto last = vocabulary.find(names[byte] + std::string(kEndOfWord));
    if (inside == vocabulary.end() || last == vocabulary.end()) {
      return base::DataLoss("BPE vocabulary lacks byte " + std::to_string(byte));
    }
    byte_ids_[byte] = inside->second;
    last_byte_ids_[byte] = last->second;
  }
  return base::OkStatus();
}

base::Status BpeTokenizer::ReadMerges(const Vocabulary& vocabulary, std::string_view merges) {
  int32_t rank = 0;
  size_t line_number = 0;
  while (!merges.empty()) {
    const size_t line_end = std::min(merges.find('\n'), merges.size());
    std::string_view line = merges.substr(0, line_end);
    merges.remove_prefix(std::min(line_end + 1, merges.size()));
    ++line_number;
    if (line.ends_with('\r')) line.remove_suffix(1);
    if (line.empty() || (line_number == 1 && line.starts_with("#version"))) continue;
    const size_t space = line.find(' ');
    if (space == std::string_view::npos) {
      return base::DataLoss("no pair in BPE merges at line " + std::to_string(line_number));
    }
    const std::string left(line.substr(0, space));
    const std::string right(line.substr(space + 1));
    const auto left_id = vocabulary.find(left);
    const auto right_id = vocabulary.find(right);
    const auto merged = vocabulary.find(left + right);
    if (left_id == vocabulary.end() || right_id == vocabulary.end() || merged == vocabulary.end()) {
      return base::DataLoss("a part of BPE merges is not in the vocabulary, line " +
                            std::to_string(line_number));
    }
    merges_.try_emplace(PairKey(left_id->second, right_id->second), Merge{rank++, merged->second});
  }
  return base::OkStatus();
}

const BpeTokenizer::Merge* BpeTokenizer::FindMerge(int32_t left, int32_t right) const {
  const auto found = merges_.find(PairKey(left, right));
  return found == merges_.end() ? nullptr : &found->second;
}

void BpeTokenizer::AppendWord(std::string_view word, std::vector<int32_t>* ids) const {
  std::vector<Symbol> symbols;
  symbols.reserve(word.size());
  for (size_t i = 0; i < word.size(); ++i) {
    const auto byte = static_cast<uint8_t>(word[i]);
    const bool last = i + 1 == word.size();
    const auto index = static_cast<int32_t>(i);
    symbols.push_back(
        {last ? last_byte_ids_[byte] : byte_ids_[byte], index - 1, last ? -1 : index + 1});
  }
  std::priority_queue<Candidate> queue;
  const auto at = [&symbols](int32_t i) -> Symbol& { return symbols[static_cast<size_t>(i)]; };
  const auto offer = [&](int32_t left, int32_t right) {
    if (left < 0 || right < 0) return;
    const Merge* merge = FindMerge(at(left).id, at(right).id);
    if (merge == nullptr) return;
    queue.push({merge->rank, left, right, at(left).id, at(right).id, merge->id});
  };
  for (size_t i = 0; i + 1 < symbols.size(); ++i) {
    offer(static_cast<int32_t>(i), static_cast<int32_t>(i + 1));
  }
  while (!queue.empty()) {
    const Candidate best = queue.top();
    queue.pop();
    const bool is_stale = at(best.left).id != best.left_id || at(best.right).id != best.right_id ||
                          at(best.left).next != best.right;
    if (is_stale) continue;
    at(best.left).id = best.merged;
    at(best.left).next = at(best.right).next;
    at(best.right).id = -1;
    if (at(best.left).next >= 0) at(at(best.left).next).previous = best.left;
    offer(at(best.left).previous, best.left);
    offer(best.left, at(best.left).next);
  }
  for (int32_t i = symbols.empty() ? -1 : 0; i >= 0; i = at(i).next) ids->push_back(at(i).id);
}

void BpeTokenizer::Content(std::string_view text, size_t limit, std::vector<int32_t>* ids) const {
  while (!text.empty() && ids->size() < limit) {
    size_t block_end = std::min(text.size(), kBlockBytes);
    while (block_end < text.size() && text[block_end] != ' ' && text[block_end] != '\n')
      ++block_end;
    const std::string block = NormalizeBlock(text.substr(0, block_end));
    text.remove_prefix(block_end);
    for (size_t at = 0; at < block.size() && ids->size() < limit;) {
      size_t next = at;
      if (KindOf(NextCodePoint(block, &next)) == Kind::kSpace) {
        at = next;
        continue;
      }
      const size_t end = WordEnd(block, at);
      AppendWord(std::string_view(block).substr(at, end - at), ids);
      at = end;
    }
  }
  if (ids->size() > limit) ids->resize(limit);
}

base::Result<std::vector<int32_t>> BpeTokenizer::Encode(std::string_view text,
                                                        size_t max_tokens) const {
  if (max_tokens < 2) return base::InvalidArgument("no room for start and end: max_tokens below 2");
  std::vector<int32_t> ids{start_};
  Content(text, max_tokens - 1, &ids);
  ids.push_back(end_);
  return ids;
}

size_t BpeTokenizer::CountTokens(std::string_view text) const {
  std::vector<int32_t> ids;
  Content(text, std::numeric_limits<size_t>::max(), &ids);
  return ids.size() + 2;
}

}  // namespace sightline::text
