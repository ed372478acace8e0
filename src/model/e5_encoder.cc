#include "model/e5_encoder.h"

#include <algorithm>
#include <cstdint>
#include <utility>

#include "model/l2_normalize.h"

namespace sightline::model {
namespace {

constexpr std::size_t kMaxTokens = 512;
/// Start token and the two pieces of `query: ` or `passage: `.
constexpr std::size_t kLeadingTokens = 3;
constexpr std::size_t kTrailingTokens = 1;
constexpr int kDims = 384;
/// Texts of one run differ little in length: padding costs time (it does not change vectors).
constexpr std::size_t kMaxRunItems = 16;
constexpr std::size_t kMaxRunTokens = 1024;

/// A text longer than this cannot have its first 512 tokens decided by what follows.
constexpr std::size_t kMaxTextBytes = 64 << 10;

std::string_view Prefix(TextRole role) {
  return role == TextRole::kQuery ? "query: " : "passage: ";
}

/// At most `kMaxTextBytes`, cut between code points.
std::string_view Bound(std::string_view text) {
  if (text.size() <= kMaxTextBytes) return text;
  std::size_t end = kMaxTextBytes;
  while (end > 0 && (static_cast<std::uint8_t>(text[end]) & 0xC0U) == 0x80U) --end;
  return text.substr(0, end);
}

void Center(std::span<float> vector, std::span<const float> mean) {
  for (std::size_t i = 0; i < vector.size(); ++i) vector[i] -= mean[i];
  L2Normalize(vector);
}

struct Encoded {
  std::vector<std::int32_t> ids;
  std::size_t index = 0;
};

class E5Encoder final : public TextEncoder {
 public:
  E5Encoder(const E5Options& options, std::unique_ptr<OnnxSession> session,
            std::unique_ptr<const text::Tokenizer> tokenizer, LanguageMeans means)
      : session_(std::move(session)), tokenizer_(std::move(tokenizer)), means_(std::move(means)) {
    sentence_space_.name = "text";
    sentence_space_.model = options.registry_name;
    sentence_space_.weights_sha256 = options.weights_sha256;
    sentence_space_.tokenizer_sha256 = options.tokenizer_sha256;
    sentence_space_.dims = kDims;
    token_space_ = sentence_space_;
    token_space_.name = "text_tokens";
    token_space_.multiplicity = Multiplicity::kMulti;
  }

  const EmbeddingSpace& sentence_space() const override { return sentence_space_; }
  const EmbeddingSpace& token_space() const override { return token_space_; }
  std::size_t max_tokens() const override { return kMaxTokens; }

  std::size_t CountTokens(std::string_view text) const override {
    const std::size_t special = tokenizer_->CountTokens("");
    const std::size_t count = tokenizer_->CountTokens(text);
    return count > special ? count - special : 0;
  }

  base::Result<std::vector<TextEmbedding>> Encode(std::span<const TextInput> inputs,
                                                  const base::CancelToken& cancel) override {
    std::vector<TextEmbedding> embeddings(inputs.size());
    std::vector<Encoded> texts(inputs.size());
    for (std::size_t i = 0; i < inputs.size(); ++i) {
      SIGHTLINE_RETURN_IF_ERROR(cancel.Check());
      const std::string prefixed =
          std::string(Prefix(inputs[i].role)).append(Bound(inputs[i].text));
      // One more than fits shows whether the text was cut.
      SIGHTLINE_ASSIGN_OR_RETURN(texts[i].ids, tokenizer_->Encode(prefixed, kMaxTokens + 1));
      texts[i].index = i;
      if (texts[i].ids.size() > kMaxTokens) {
        const std::int32_t end = texts[i].ids.back();
        texts[i].ids.resize(kMaxTokens);
        texts[i].ids.back() = end;
        embeddings[i].truncated = true;
      }
    }
    std::ranges::stable_sort(texts, {}, [](const Encoded& text) { return text.ids.size(); });
    for (std::size_t start = 0; start < texts.size();) {
      const std::size_t end = RunEnd(texts, start);
      SIGHTLINE_RETURN_IF_ERROR(
          Run(std::span(texts).subspan(start, end - start), inputs, cancel, &embeddings));
      start = end;
    }
    return embeddings;
  }

 private:
  static std::size_t RunEnd(std::span<const Encoded> texts, std::size_t start) {
    const std::size_t longest = texts[start].ids.size() + 2 + texts[start].ids.size() / 10;
    std::size_t end = start + 1;
    while (end < texts.size() && end - start < kMaxRunItems && texts[end].ids.size() <= longest &&
           (end - start + 1) * texts[end].ids.size() <= kMaxRunTokens) {
      ++end;
    }
    return end;
  }

  base::Status Run(std::span<const Encoded> texts, std::span<const TextInput> inputs,
                   const base::CancelToken& cancel, std::vector<TextEmbedding>* embeddings) const {
    const std::size_t width = texts.back().ids.size();
    std::vector<std::int64_t> ids(texts.size() * width, tokenizer_->PadId());
    std::vector<std::int64_t> mask(texts.size() * width, 0);
    for (std::size_t row = 0; row < texts.size(); ++row) {
      const auto offset = static_cast<std::ptrdiff_t>(row * width);
      std::ranges::copy(texts[row].ids, ids.begin() + offset);
      std::fill_n(mask.begin() + offset, texts[row].ids.size(), 1);
    }
    const std::vector<std::int64_t> shape = {static_cast<std::int64_t>(texts.size()),
                                             static_cast<std::int64_t>(width)};
    const std::vector<OnnxInput> values = {
        {"input_ids", shape, std::span<const std::int64_t>(ids)},
        {"attention_mask", shape, std::span<const std::int64_t>(mask)}};
    const std::vector<std::string> outputs = {"sentence_vector", "token_vectors"};
    SIGHTLINE_ASSIGN_OR_RETURN(const auto tensors, session_->Run(values, outputs, cancel));
    if (tensors[0].values.size() != texts.size() * kDims ||
        tensors[1].values.size() != texts.size() * width * kDims) {
      return base::DataLoss("the text encoder returned vectors of another size");
    }
    for (std::size_t row = 0; row < texts.size(); ++row) {
      const std::size_t index = texts[row].index;
      Fill(texts[row].ids.size(), inputs[index].language,
           tensors[0].values.subspan(row * kDims, kDims),
           tensors[1].values.subspan(row * width * kDims, width * kDims), &(*embeddings)[index]);
    }
    return base::OkStatus();
  }

  void Fill(std::size_t length, text::Language language, std::span<const float> sentence,
            std::span<const float> tokens, TextEmbedding* embedding) const {
    embedding->sentence.assign(sentence.begin(), sentence.end());
    Center(embedding->sentence, means_.sentence(language));
    embedding->tokens.dims = kDims;
    if (length <= kLeadingTokens + kTrailingTokens) {
      embedding->tokens.values = embedding->sentence;
      return;
    }
    const std::size_t count = length - kLeadingTokens - kTrailingTokens;
    const auto content = tokens.subspan(kLeadingTokens * kDims, count * kDims);
    embedding->tokens.values.assign(content.begin(), content.end());
    const auto mean = means_.token(language);
    for (std::size_t i = 0; i < count; ++i) {
      Center(std::span(embedding->tokens.values).subspan(i * kDims, kDims), mean);
    }
  }

  const std::unique_ptr<OnnxSession> session_;
  const std::unique_ptr<const text::Tokenizer> tokenizer_;
  const LanguageMeans means_;
  EmbeddingSpace sentence_space_;
  EmbeddingSpace token_space_;
};

}  // namespace

base::Result<std::unique_ptr<TextEncoder>> OpenE5Encoder(
    const E5Options& options, std::unique_ptr<const text::Tokenizer> tokenizer,
    LanguageMeans means) {
  SIGHTLINE_ASSIGN_OR_RETURN(auto session, OnnxSession::Open(options.model, options.onnx));
  if (!session->HasInput("input_ids") || !session->HasInput("attention_mask") ||
      !session->HasOutput("token_vectors") || !session->HasOutput("sentence_vector")) {
    return base::DataLoss("not an e5 encoder (ids and mask to token and sentence vectors): " +
                          options.model.string());
  }
  return std::unique_ptr<TextEncoder>(std::make_unique<E5Encoder>(
      options, std::move(session), std::move(tokenizer), std::move(means)));
}

}  // namespace sightline::model
