// Reads `tokenizer.json` of the `tokenizers` package into a WordPieceTokenizer.
#include "text/wordpiece_reader.h"

#include <algorithm>
#include <limits>

namespace sightline::text {
namespace {

constexpr size_t kMaxVocabulary = size_t{1} << 21;

const boost::json::object* ObjectAt(const boost::json::object& parent, std::string_view key) {
  const boost::json::value* value = parent.if_contains(key);
  return value == nullptr ? nullptr : value->if_object();
}

/// A bool member; `fallback` where it is absent or null.
bool BoolAt(const boost::json::object& parent, std::string_view key, bool fallback) {
  const boost::json::value* value = parent.if_contains(key);
  const bool* flag = value == nullptr ? nullptr : value->if_bool();
  return flag == nullptr ? fallback : *flag;
}

std::string StringAt(const boost::json::object& parent, std::string_view key,
                     std::string_view fallback) {
  const boost::json::value* value = parent.if_contains(key);
  const boost::json::string* text = value == nullptr ? nullptr : value->if_string();
  return text == nullptr ? std::string(fallback) : std::string(text->data(), text->size());
}

}  // namespace

base::Result<std::unique_ptr<WordPieceTokenizer>> WordPieceReader::Read(
    const boost::json::value& root) {
  const boost::json::object* top = root.if_object();
  if (top == nullptr) return base::DataLoss("tokenizer.json is not a JSON object");
  const boost::json::object* model = ObjectAt(*top, "model");
  if (model == nullptr || StringAt(*model, "type", "WordPiece") != "WordPiece") {
    return base::DataLoss("tokenizer.json holds no WordPiece model");
  }
  tokenizer_.reset(new WordPieceTokenizer());
  const boost::json::object* normalizer = ObjectAt(*top, "normalizer");
  if (normalizer != nullptr) {
    const std::string type = StringAt(*normalizer, "type", "");
    if (type != "BertNormalizer") {
      return base::DataLoss("tokenizer.json asks for a normalizer that is not known: " + type);
    }
    ReadNormalizer(*normalizer);
  }
  SIGHTLINE_RETURN_IF_ERROR(ReadModel(*model));
  return std::move(tokenizer_);
}

void WordPieceReader::ReadNormalizer(const boost::json::object& normalizer) {
  tokenizer_->cleans_text_ = BoolAt(normalizer, "clean_text", true);
  tokenizer_->separates_han_ = BoolAt(normalizer, "handle_chinese_chars", true);
  tokenizer_->lowercases_ = BoolAt(normalizer, "lowercase", true);
  tokenizer_->strips_accents_ = BoolAt(normalizer, "strip_accents", tokenizer_->lowercases_);
}

base::Status WordPieceReader::ReadModel(const boost::json::object& model) {
  const boost::json::object* vocabulary = ObjectAt(model, "vocab");
  if (vocabulary == nullptr || vocabulary->empty() || vocabulary->size() > kMaxVocabulary) {
    return base::DataLoss("tokenizer.json has no vocabulary of an allowed size");
  }
  tokenizer_->continuation_ = StringAt(model, "continuing_subword_prefix", "##");
  const boost::json::value* longest_word = model.if_contains("max_input_chars_per_word");
  if (longest_word != nullptr && longest_word->is_int64()) {
    const int64_t value = longest_word->get_int64();
    if (value < 1 || value > 10000) {
      return base::DataLoss("max_input_chars_per_word of tokenizer.json is out of range: " +
                            std::to_string(value));
    }
    tokenizer_->max_word_code_points_ = static_cast<size_t>(value);
  }
  tokenizer_->vocabulary_.reserve(vocabulary->size());
  for (const auto& [piece, id] : *vocabulary) {
    if (!id.is_int64() || id.get_int64() < 0 ||
        id.get_int64() > std::numeric_limits<int32_t>::max()) {
      return base::DataLoss("an id in the vocabulary of tokenizer.json is no id: " +
                            std::string(piece));
    }
    tokenizer_->longest_piece_bytes_ =
        std::max(tokenizer_->longest_piece_bytes_, size_t{piece.size()});
    tokenizer_->vocabulary_.emplace(std::string(piece), static_cast<int32_t>(id.get_int64()));
  }
  SIGHTLINE_RETURN_IF_ERROR(FindSpecial("[CLS]", &tokenizer_->cls_));
  SIGHTLINE_RETURN_IF_ERROR(FindSpecial("[SEP]", &tokenizer_->sep_));
  SIGHTLINE_RETURN_IF_ERROR(FindSpecial("[PAD]", &tokenizer_->pad_));
  return FindSpecial(StringAt(model, "unk_token", "[UNK]"), &tokenizer_->unknown_);
}

base::Status WordPieceReader::FindSpecial(std::string_view piece, int32_t* id) const {
  const auto found = tokenizer_->vocabulary_.find(piece);
  if (found == tokenizer_->vocabulary_.end()) {
    return base::DataLoss("the vocabulary of tokenizer.json lacks " + std::string(piece));
  }
  *id = found->second;
  return base::OkStatus();
}

}  // namespace sightline::text
