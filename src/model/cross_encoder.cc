#include "model/cross_encoder.h"

#include <algorithm>
#include <cstdint>
#include <utility>

#include "text/wordpiece_tokenizer.h"

namespace sightline::model {
namespace {

constexpr std::size_t kBatch = 8;

/// `[CLS] question [SEP] text [SEP]` and where the text begins.
struct Pair {
  std::vector<std::int32_t> ids;
  std::size_t text_begin = 0;
  std::size_t index = 0;
};

class CrossEncoder final : public Reranker {
 public:
  CrossEncoder(const CrossEncoderOptions& options, std::unique_ptr<OnnxSession> session,
               std::unique_ptr<const text::Tokenizer> tokenizer)
      : options_(options), session_(std::move(session)), tokenizer_(std::move(tokenizer)) {}

  base::Result<std::vector<float>> Score(std::string_view query, std::span<const std::string> texts,
                                         const base::CancelToken& cancel) override {
    SIGHTLINE_ASSIGN_OR_RETURN(const auto question,
                               tokenizer_->Encode(query, options_.max_query_tokens));
    std::vector<Pair> pairs;
    for (const std::string& text : texts) {
      SIGHTLINE_RETURN_IF_ERROR(cancel.Check());
      // One more than is left, because the text's own start token goes away.
      SIGHTLINE_ASSIGN_OR_RETURN(
          const auto ids, tokenizer_->Encode(text, options_.max_tokens - question.size() + 1));
      Pair pair{question, question.size(), pairs.size()};
      pair.ids.insert(pair.ids.end(), ids.begin() + 1, ids.end());
      pairs.push_back(std::move(pair));
    }
    // Texts of similar length share a batch.
    std::ranges::stable_sort(pairs, {}, [](const Pair& pair) { return pair.ids.size(); });
    std::vector<float> scores(texts.size());
    for (std::size_t start = 0; start < pairs.size(); start += kBatch) {
      const auto batch = std::span(pairs).subspan(start, std::min(kBatch, pairs.size() - start));
      SIGHTLINE_RETURN_IF_ERROR(Run(batch, cancel, &scores));
    }
    return scores;
  }

 private:
  base::Status Run(std::span<const Pair> batch, const base::CancelToken& cancel,
                   std::vector<float>* scores) const {
    const std::size_t width = batch.back().ids.size();
    const std::size_t size = batch.size() * width;
    std::vector<std::int64_t> ids(size, tokenizer_->PadId());
    std::vector<std::int64_t> mask(size, 0);
    std::vector<std::int64_t> types(size, 0);
    for (std::size_t row = 0; row < batch.size(); ++row) {
      const Pair& pair = batch[row];
      const auto offset = static_cast<std::ptrdiff_t>(row * width);
      const auto text = offset + static_cast<std::ptrdiff_t>(pair.text_begin);
      std::ranges::copy(pair.ids, ids.begin() + offset);
      std::fill_n(mask.begin() + offset, pair.ids.size(), 1);
      std::fill_n(types.begin() + text, pair.ids.size() - pair.text_begin, 1);
    }
    const std::vector<std::int64_t> shape = {static_cast<std::int64_t>(batch.size()),
                                             static_cast<std::int64_t>(width)};
    std::vector<OnnxInput> inputs = {
        {"input_ids", shape, std::span<const std::int64_t>(ids)},
        {"attention_mask", shape, std::span<const std::int64_t>(mask)}};
    if (session_->HasInput("token_type_ids")) {
      inputs.push_back({"token_type_ids", shape, std::span<const std::int64_t>(types)});
    }
    const std::string output = "logits";
    SIGHTLINE_ASSIGN_OR_RETURN(const auto tensors,
                               session_->Run(inputs, std::span(&output, 1), cancel));
    if (tensors[0].values.size() != batch.size()) {
      return base::DataLoss("the reranker does not give one score a text");
    }
    for (std::size_t row = 0; row < batch.size(); ++row) {
      (*scores)[batch[row].index] = tensors[0].values[row];
    }
    return base::OkStatus();
  }

  const CrossEncoderOptions options_;
  const std::unique_ptr<OnnxSession> session_;
  const std::unique_ptr<const text::Tokenizer> tokenizer_;
};

}  // namespace

base::Result<std::unique_ptr<Reranker>> OpenCrossEncoder(const CrossEncoderOptions& options,
                                                         io::FileSystem& files) {
  if (options.max_query_tokens < 3 || options.max_query_tokens + 3 > options.max_tokens) {
    return base::InvalidArgument("a reranker's question leaves no room for the text");
  }
  SIGHTLINE_ASSIGN_OR_RETURN(auto tokenizer, text::WordPieceTokenizer::Load(
                                                 io::JoinPath(options.folder, "tokenizer.json")));
  std::string path = io::JoinPath(options.folder, "model.onnx");
  SIGHTLINE_ASSIGN_OR_RETURN(const bool here, files.Exists(path));
  if (!here) path = io::JoinPath(options.folder, "onnx/model.onnx");
  SIGHTLINE_ASSIGN_OR_RETURN(auto session, OnnxSession::Open(path, options.onnx));
  if (!session->HasInput("input_ids") || !session->HasInput("attention_mask") ||
      !session->HasOutput("logits")) {
    return base::DataLoss("not a reranker (ids and mask to logits): " + path);
  }
  return std::unique_ptr<Reranker>(
      std::make_unique<CrossEncoder>(options, std::move(session), std::move(tokenizer)));
}

}  // namespace sightline::model
