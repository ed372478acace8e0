#include "text/unigram_model.h"

#include <algorithm>
#include <bit>
#include <cstring>

#include "text/code_points.h"

namespace sightline::text {
namespace {

constexpr uint32_t kMagic = 0x4B544C53;  // "SLTK"
constexpr uint32_t kVersion = 1;
constexpr size_t kHeaderWords = 10;
constexpr uint32_t kMaxPieces = 1U << 20;
constexpr uint32_t kMaxBlobBytes = 1U << 26;
constexpr uint32_t kMaxRules = 1U << 16;
constexpr uint32_t kMaxReplacements = 1U << 20;
constexpr size_t kMaxPieceBytes = 48;
constexpr double kUnknownPenalty = 10.0;
constexpr size_t kLongestSize = 1U << 16;
constexpr uint64_t kHashStart = 0xCBF29CE484222325;

constexpr uint64_t HashByte(uint64_t hash, char byte) {
  return (hash ^ static_cast<uint8_t>(byte)) * 0x100000001B3;
}
constexpr uint32_t TagOf(uint64_t hash) { return static_cast<uint32_t>(hash >> 32); }

/// The list of `count` 4-byte values at `at`; the caller has checked the bounds.
template <typename T>
std::vector<T> ReadList(const std::string& bytes, size_t at, size_t count) {
  static_assert(sizeof(T) == 4 && std::endian::native == std::endian::little);
  std::vector<T> list(count);
  if (count > 0) std::memcpy(list.data(), bytes.data() + at, count * sizeof(T));
  return list;
}

bool IsAscendingTo(const std::vector<uint32_t>& offsets, uint32_t last) {
  return offsets.front() == 0 && offsets.back() == last &&
         std::is_sorted(offsets.begin(), offsets.end());
}

size_t SecondCodePoint(std::string_view piece) {
  size_t at = 1;
  while (at < piece.size() && !StartsCodePoint(piece[at])) ++at;
  return at;
}

/// Hash of the first two code points of a piece or text that has two.
size_t PairHash(std::string_view text) {
  size_t end = SecondCodePoint(text) + 1;
  while (end < text.size() && !StartsCodePoint(text[end])) ++end;
  uint64_t hash = kHashStart;
  for (const char byte : text.substr(0, end)) hash = HashByte(hash, byte);
  return (hash >> 24) % kLongestSize;
}

}  // namespace

struct UnigramModel::Layout {
  uint32_t pieces;
  uint32_t blob_bytes;
  uint32_t rules;
  uint32_t replacements;
};

base::Result<UnigramModel> UnigramModel::Parse(std::string bytes) {
  if (bytes.size() < kHeaderWords * 4) return base::DataLoss("tokenizer file is cut in its header");
  const auto header = ReadList<uint32_t>(bytes, 0, kHeaderWords);
  if (header[0] != kMagic) return base::DataLoss("not a tokenizer file: wrong magic at byte 0");
  if (header[1] != kVersion) {
    return base::DataLoss("unknown tokenizer file version " + std::to_string(header[1]));
  }
  const Layout layout{header[2], header[3], header[4], header[5]};
  if (layout.pieces == 0 || layout.pieces > kMaxPieces || layout.blob_bytes > kMaxBlobBytes ||
      layout.rules > kMaxRules || layout.replacements > kMaxReplacements) {
    return base::DataLoss("a count in the header of the tokenizer file is out of range");
  }
  for (size_t i = 6; i < kHeaderWords; ++i) {
    if (header[i] >= layout.pieces) {
      return base::DataLoss("special token id out of range in the tokenizer file at byte " +
                            std::to_string(i * 4));
    }
  }
  const size_t words = size_t{layout.pieces} * 2 + 1 + size_t{layout.rules} * 2 + 1 +
                       layout.replacements + kHeaderWords;
  if (bytes.size() != words * 4 + layout.blob_bytes) {
    return base::DataLoss("tokenizer file has another length than its header says: " +
                          std::to_string(bytes.size()));
  }
  UnigramModel model;
  model.bos_ = static_cast<int32_t>(header[6]);
  model.pad_ = static_cast<int32_t>(header[7]);
  model.eos_ = static_cast<int32_t>(header[8]);
  model.unk_ = static_cast<int32_t>(header[9]);
  model.bytes_ = std::move(bytes);
  size_t at = kHeaderWords * 4;
  const auto take = [&at](size_t count) { return std::exchange(at, at + count * 4); };
  model.offsets_ = ReadList<uint32_t>(model.bytes_, take(layout.pieces + 1), layout.pieces + 1);
  model.scores_ = ReadList<float>(model.bytes_, take(layout.pieces), layout.pieces);
  model.rule_code_points_ = ReadList<uint32_t>(model.bytes_, take(layout.rules), layout.rules);
  model.rule_starts_ = ReadList<uint32_t>(model.bytes_, take(layout.rules + 1), layout.rules + 1);
  model.replacements_ =
      ReadList<uint32_t>(model.bytes_, take(layout.replacements), layout.replacements);
  model.blob_begin_ = at;
  SIGHTLINE_RETURN_IF_ERROR(model.CheckOffsets(layout));
  model.BuildTable(layout.pieces);
  return model;
}

base::Status UnigramModel::CheckOffsets(const Layout& layout) const {
  if (!IsAscendingTo(offsets_, layout.blob_bytes)) {
    return base::DataLoss("piece offsets of the tokenizer file do not ascend to its blob length");
  }
  if (!IsAscendingTo(rule_starts_, layout.replacements)) {
    return base::DataLoss("rule starts of the tokenizer file do not ascend to its replacements");
  }
  if (!std::is_sorted(rule_code_points_.begin(), rule_code_points_.end())) {
    return base::DataLoss("rules of the tokenizer file are not in the order of their code points");
  }
  const auto is_character = [](uint32_t c) { return c <= 0x10FFFF && (c < 0xD800 || c > 0xDFFF); };
  if (!std::all_of(replacements_.begin(), replacements_.end(), is_character)) {
    return base::DataLoss("a rule of the tokenizer file gives what is no character");
  }
  // NaN fails both comparisons.
  const auto is_score = [](float score) { return score > -1e6F && score < 1e6F; };
  if (!std::all_of(scores_.begin(), scores_.end(), is_score)) {
    return base::DataLoss("a score of the tokenizer file is not a number in range");
  }
  return base::OkStatus();
}

std::string_view UnigramModel::Piece(uint32_t id) const {
  return std::string_view(bytes_).substr(blob_begin_ + offsets_[id],
                                         offsets_[id + 1] - offsets_[id]);
}

void UnigramModel::BuildTable(uint32_t piece_count) {
  unknown_score_ = double{*std::min_element(scores_.begin(), scores_.end())} - kUnknownPenalty;
  slots_.resize(std::bit_ceil(size_t{piece_count} * 2));
  longest_.assign(kLongestSize, 1);
  const size_t mask = slots_.size() - 1;
  for (uint32_t id = 0; id < piece_count; ++id) {
    const auto signed_id = static_cast<int32_t>(id);
    // The last piece is <mask>; like the other special ones it is no text.
    const bool never = signed_id == bos_ || signed_id == pad_ || signed_id == eos_ ||
                       signed_id == unk_ || id + 1 == piece_count;
    const std::string_view piece = Piece(id);
    if (never || piece.empty() || piece.size() > kMaxPieceBytes) continue;
    uint64_t hash = kHashStart;
    size_t code_points = 0;
    for (const char byte : piece) {
      hash = HashByte(hash, byte);
      code_points += StartsCodePoint(byte) ? 1U : 0U;
    }
    if (Find(piece, hash) >= 0) continue;  // the first of equal pieces counts
    size_t slot = TagOf(hash) & mask;
    while (slots_[slot].id >= 0) slot = (slot + 1) & mask;
    slots_[slot] = {TagOf(hash ^ (hash << 32)), signed_id};
    if (code_points < 2) continue;
    uint8_t& longest = longest_[PairHash(piece)];
    longest = std::max(longest, static_cast<uint8_t>(code_points));
  }
}

int32_t UnigramModel::Find(std::string_view piece, uint64_t hash) const {
  const size_t mask = slots_.size() - 1;
  const uint32_t tag = TagOf(hash ^ (hash << 32));
  for (size_t slot = TagOf(hash) & mask; slots_[slot].id >= 0; slot = (slot + 1) & mask) {
    if (slots_[slot].tag == tag && Piece(static_cast<uint32_t>(slots_[slot].id)) == piece) {
      return slots_[slot].id;
    }
  }
  return -1;
}

void UnigramModel::MatchesAt(std::string_view text, const std::vector<uint32_t>& ends, size_t start,
                             std::vector<Match>* matches) const {
  const size_t begin = start == 0 ? 0 : ends[start - 1];
  const size_t longest = start + 1 < ends.size() ? longest_[PairHash(text.substr(begin))] : 1;
  const size_t limit = std::min(ends.size(), start + longest);
  uint64_t hash = kHashStart;
  size_t at = begin;
  for (size_t i = start; i < limit && ends[i] - begin <= kMaxPieceBytes; ++i) {
    for (; at < ends[i]; ++at) hash = HashByte(hash, text[at]);
    const int32_t id = Find(text.substr(begin, at - begin), hash);
    if (id < 0) continue;
    matches->push_back(
        {id, double{scores_[static_cast<size_t>(id)]}, static_cast<uint32_t>(i + 1)});
  }
}

void UnigramModel::Replace(char32_t c, std::u32string* out) const {
  const auto found = std::lower_bound(rule_code_points_.begin(), rule_code_points_.end(), c);
  if (found == rule_code_points_.end() || *found != c) {
    out->push_back(c);
    return;
  }
  const auto rule = static_cast<size_t>(found - rule_code_points_.begin());
  for (uint32_t i = rule_starts_[rule]; i < rule_starts_[rule + 1]; ++i) {
    out->push_back(static_cast<char32_t>(replacements_[i]));
  }
}

}  // namespace sightline::text
