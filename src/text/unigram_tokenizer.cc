#include "text/unigram_tokenizer.h"

#include <unicode/bytestream.h>
#include <unicode/normalizer2.h>
#include <unicode/stringpiece.h>

#include <algorithm>
#include <limits>

#include "text/code_points.h"
#include "text/term_letters.h"
#include "text/unigram_model.h"

namespace sightline::text {
namespace {

constexpr size_t kMaxFileBytes = size_t{128} << 20;
/// Texts are normalised in blocks of about this size, cut in front of a space.
constexpr size_t kBlockBytes = size_t{16} << 10;
/// A word without any space is cut after so many code points; nothing that people write is near.
constexpr size_t kMaxWordCodePoints = size_t{256} << 10;
constexpr char32_t kMeta = 0x2581;
constexpr std::string_view kMetaBytes = "\xe2\x96\x81";
constexpr double kUnreached = -std::numeric_limits<double>::infinity();

/// NFC of valid UTF-8; the text itself where ICU has no data.
std::string Nfc(std::string text) {
  UErrorCode error = U_ZERO_ERROR;
  const icu::Normalizer2* nfc = icu::Normalizer2::getNFCInstance(error);
  if (U_FAILURE(error)) return text;
  const icu::StringPiece piece(text.data(), static_cast<int32_t>(text.size()));
  if (nfc->isNormalizedUTF8(piece, error) != 0 || U_FAILURE(error)) return text;
  std::string normal;
  icu::StringByteSink<std::string> sink(&normal);
  nfc->normalizeUTF8(0, piece, sink, nullptr, error);
  return U_SUCCESS(error) != 0 ? normal : text;
}

/// Cuts a text into words that start with ▁ and segments each: no piece holds ▁ but at its start,
/// so the best segmentation of the text is that of its words. Stops when `limit` ids are there.
class Segmentation {
 public:
  Segmentation(const UnigramModel& model, size_t limit) : model_(model), limit_(limit) {}

  void Take(std::string_view text) {
    while (!text.empty() && !IsFull()) {
      size_t end = std::min(text.size(), kBlockBytes);
      while (end < text.size() && text[end] != ' ' && text[end] != '\n') ++end;
      TakeBlock(text.substr(0, end));
      text.remove_prefix(end);
    }
    FlushWord();
  }

  std::vector<int32_t> TakeIds() { return std::move(ids_); }
  size_t count() const { return count_; }

 private:
  bool IsFull() const { return count_ >= limit_; }

  void TakeBlock(std::string_view block) {
    std::string clean(block);
    for (size_t at = 0; at < block.size();) {
      if (NextCodePoint(block, &at) == kInvalidCodePoint) clean[at - 1] = ' ';
    }
    clean = Nfc(std::move(clean));
    std::u32string replaced;
    for (size_t at = 0; at < clean.size();) model_.Replace(NextCodePoint(clean, &at), &replaced);
    std::string normal;
    AppendUtf8(replaced, &normal);
    normal = Nfc(std::move(normal));
    for (size_t at = 0; at < normal.size() && !IsFull();) {
      const size_t begin = at;
      const char32_t c = NextCodePoint(normal, &at);
      TakeCodePoint(c, std::string_view(normal).substr(begin, at - begin));
    }
  }

  void TakeCodePoint(char32_t c, std::string_view bytes) {
    if (c == U' ') {
      FlushWord();
      after_space_ = true;
      return;
    }
    if (c == kMeta || ends_.size() >= kMaxWordCodePoints) FlushWord();
    if (after_space_) Append(kMetaBytes);
    after_space_ = false;
    Append(bytes);
  }

  void Append(std::string_view bytes) {
    // ▁ always begins a word: a literal one in the text as well as the one that stands for a space.
    if (bytes == kMetaBytes) FlushWord();
    word_ += bytes;
    ends_.push_back(static_cast<uint32_t>(word_.size()));
  }

  void FlushWord() {
    if (word_.empty()) return;
    Viterbi();
    word_.clear();
    ends_.clear();
  }

  void Viterbi() {
    const size_t size = ends_.size();
    best_.assign(size + 1, kUnreached);
    back_.assign(size + 1, {});
    best_[0] = 0;
    for (uint32_t start = 0; start < size; ++start) {
      matches_.clear();
      model_.MatchesAt(word_, ends_, start, &matches_);
      matches_.push_back({model_.unk(), model_.unknown_score(), start + 1});
      for (const UnigramModel::Match& match : matches_) {
        const double score = best_[start] + match.score;
        if (score <= best_[match.end_code_point]) continue;
        best_[match.end_code_point] = score;
        back_[match.end_code_point] = {start, match.id};
      }
    }
    path_.clear();
    for (size_t at = size; at > 0; at = back_[at].start) path_.push_back(back_[at].id);
    for (auto id = path_.rbegin(); id != path_.rend() && !IsFull(); ++id) Emit(*id);
  }

  void Emit(int32_t id) {
    if (id == model_.unk() && last_ == id) return;
    last_ = id;
    ++count_;
    if (limit_ != std::numeric_limits<size_t>::max()) ids_.push_back(id);
  }

  struct Step {
    uint32_t start = 0;
    int32_t id = 0;
  };

  const UnigramModel& model_;
  const size_t limit_;
  bool after_space_ = true;
  std::string word_;
  std::vector<uint32_t> ends_;
  std::vector<UnigramModel::Match> matches_;
  std::vector<double> best_;
  std::vector<Step> back_;
  std::vector<int32_t> path_;
  std::vector<int32_t> ids_;
  int32_t last_ = -1;
  size_t count_ = 0;
};

}  // namespace

UnigramTokenizer::UnigramTokenizer(std::unique_ptr<const UnigramModel> model)
    : model_(std::move(model)) {}
UnigramTokenizer::~UnigramTokenizer() = default;

base::Result<std::unique_ptr<UnigramTokenizer>> UnigramTokenizer::Load(const std::string& path) {
  SIGHTLINE_ASSIGN_OR_RETURN(std::string bytes, ReadTokenizerFile(path, kMaxFileBytes));
  base::Result<std::unique_ptr<UnigramTokenizer>> loaded = FromBytes(std::move(bytes));
  if (!loaded.ok()) return loaded.status().WithContext(path);
  return loaded;
}

base::Result<std::unique_ptr<UnigramTokenizer>> UnigramTokenizer::FromBytes(std::string bytes) {
  SIGHTLINE_ASSIGN_OR_RETURN(UnigramModel model, UnigramModel::Parse(std::move(bytes)));
  return std::unique_ptr<UnigramTokenizer>(
      new UnigramTokenizer(std::make_unique<const UnigramModel>(std::move(model))));
}

base::Result<std::vector<int32_t>> UnigramTokenizer::Encode(std::string_view text,
                                                            size_t max_tokens) const {
  if (max_tokens < 2) return base::InvalidArgument("no room for start and end: max_tokens below 2");
  const size_t limit = std::min(max_tokens - 2, std::numeric_limits<size_t>::max() - 1);
  Segmentation segmentation(*model_, limit);
  segmentation.Take(text);
  std::vector<int32_t> ids = segmentation.TakeIds();
  ids.insert(ids.begin(), model_->bos());
  ids.push_back(model_->eos());
  return ids;
}

size_t UnigramTokenizer::CountTokens(std::string_view text) const {
  Segmentation segmentation(*model_, std::numeric_limits<size_t>::max());
  segmentation.Take(text);
  return segmentation.count() + 2;
}

int32_t UnigramTokenizer::PadId() const { return model_->pad(); }

}  // namespace sightline::text
