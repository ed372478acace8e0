#include "model/clip_encoder.h"

#include <algorithm>
#include <array>
#include <cstdint>
#include <utility>

#include "base/digest.h"
#include "model/image_preprocessor.h"
#include "model/json_object.h"
#include "model/l2_normalize.h"
#include "text/bpe_tokenizer.h"

namespace sightline::model {
namespace {

constexpr std::uint64_t kMaxJsonBytes = 4 << 20;
constexpr std::size_t kMaxTextTokens = 1024;
constexpr std::size_t kBatch = 8;

base::Result<std::string> FindTower(io::FileSystem& files, const std::string& folder,
                                    const std::string& kind) {
  for (const std::string& name : {kind + ".onnx", kind + "_model.onnx", "onnx/" + kind + ".onnx",
                                  "onnx/" + kind + "_model.onnx"}) {
    std::string path = io::JoinPath(folder, name);
    SIGHTLINE_ASSIGN_OR_RETURN(const bool exists, files.Exists(path));
    if (exists) return path;
  }
  return base::NotFound("a CLIP-type model needs " + kind + ".onnx or onnx/" + kind +
                        "_model.onnx in its folder: " + folder);
}

base::Result<std::string> DigestOfFile(io::FileSystem& files, const std::string& path) {
  SIGHTLINE_ASSIGN_OR_RETURN(const auto file, files.OpenForRead(path));
  SIGHTLINE_ASSIGN_OR_RETURN(const auto mapped, file->Map());
  base::Sha256 digest;
  digest.Update(mapped->bytes());
  return base::HexEncode(digest.Finish());
}

/// `preferred`, or the only output that has one vector a row.
base::Result<std::string> FindOutput(const OnnxSession& tower, const std::string& preferred) {
  if (tower.HasOutput(preferred)) return preferred;
  std::string found;
  for (const OnnxPort& port : tower.outputs()) {
    if (port.shape.size() != 2) continue;
    if (!found.empty()) return base::DataLoss("which output is the vector is not clear: " + found);
    found = port.name;
  }
  if (found.empty()) return base::DataLoss("a tower has no output of two dimensions");
  return found;
}

class ClipEncoder final : public DualEncoder {
 public:
  static base::Result<std::unique_ptr<DualEncoder>> Open(const ClipOptions& options,
                                                         io::FileSystem& files);

  const EmbeddingSpace& space() const override { return space_; }

  base::Result<VectorMatrix> EncodeImages(std::span<const media::Image> images,
                                          const base::CancelToken& cancel) override {
    VectorMatrix matrix{space_.dims, {}};
    const std::size_t item = preprocessor_.value_count();
    for (std::size_t start = 0; start < images.size(); start += kBatch) {
      const auto batch = images.subspan(start, std::min(kBatch, images.size() - start));
      std::vector<float> values(batch.size() * item);
      for (std::size_t i = 0; i < batch.size(); ++i) {
        SIGHTLINE_RETURN_IF_ERROR(cancel.Check());
        SIGHTLINE_RETURN_IF_ERROR(
            preprocessor_.Prepare(batch[i], std::span(values).subspan(i * item, item)));
      }
      const std::vector<OnnxInput> inputs = {{"pixel_values",
                                              {static_cast<std::int64_t>(batch.size()), 3,
                                               preprocessor_.height(), preprocessor_.width()},
                                              std::span<const float>(values)}};
      SIGHTLINE_RETURN_IF_ERROR(
          Run(*vision_, inputs, vision_output_, batch.size(), cancel, &matrix));
    }
    return matrix;
  }

  base::Result<VectorMatrix> EncodeTexts(std::span<const std::string> texts,
                                         const base::CancelToken& cancel) override {
    VectorMatrix matrix{space_.dims, {}};
    for (std::size_t start = 0; start < texts.size(); start += kBatch) {
      const auto batch = texts.subspan(start, std::min(kBatch, texts.size() - start));
      std::vector<std::int64_t> ids(batch.size() * text_tokens_, tokenizer_->PadId());
      std::vector<std::int64_t> mask(batch.size() * text_tokens_, 0);
      for (std::size_t i = 0; i < batch.size(); ++i) {
        SIGHTLINE_ASSIGN_OR_RETURN(const auto encoded, tokenizer_->Encode(batch[i], text_tokens_));
        const auto offset = static_cast<std::ptrdiff_t>(i * text_tokens_);
        std::ranges::copy(encoded, ids.begin() + offset);
        std::fill_n(mask.begin() + offset, encoded.size(), 1);
      }
      const std::vector<std::int64_t> shape = {static_cast<std::int64_t>(batch.size()),
                                               static_cast<std::int64_t>(text_tokens_)};
      std::vector<OnnxInput> inputs = {{"input_ids", shape, std::span<const std::int64_t>(ids)}};
      if (text_->HasInput("attention_mask")) {
        inputs.push_back({"attention_mask", shape, std::span<const std::int64_t>(mask)});
      }
      SIGHTLINE_RETURN_IF_ERROR(Run(*text_, inputs, text_output_, batch.size(), cancel, &matrix));
    }
    return matrix;
  }

 private:
  explicit ClipEncoder(ImagePreprocessor preprocessor) : preprocessor_(std::move(preprocessor)) {}

  base::Status Run(const OnnxSession& tower, std::span<const OnnxInput> inputs,
                   const std::string& output, std::size_t rows, const base::CancelToken& cancel,
                   VectorMatrix* matrix) const {
    SIGHTLINE_ASSIGN_OR_RETURN(const auto tensors,
                               tower.Run(inputs, std::span(&output, 1), cancel));
    const auto dims = static_cast<std::size_t>(space_.dims);
    if (tensors[0].values.size() != rows * dims) {
      return base::DataLoss("a tower returned vectors of another size than the model declares");
    }
    for (std::size_t row = 0; row < rows; ++row) {
      const auto vector = tensors[0].values.subspan(row * dims, dims);
      matrix->values.insert(matrix->values.end(), vector.begin(), vector.end());
      L2Normalize(std::span(matrix->values).last(dims));
    }
    return base::OkStatus();
  }

  const ImagePreprocessor preprocessor_;
  EmbeddingSpace space_;
  std::unique_ptr<OnnxSession> vision_;
  std::unique_ptr<OnnxSession> text_;
  std::string vision_output_;
  std::string text_output_;
  std::unique_ptr<const text::Tokenizer> tokenizer_;
  std::size_t text_tokens_ = 77;
};

base::Result<std::unique_ptr<DualEncoder>> ClipEncoder::Open(const ClipOptions& options,
                                                             io::FileSystem& files) {
  const auto read = [&](const char* name) {
    return files.ReadFile(io::JoinPath(options.folder, name), kMaxJsonBytes);
  };
  SIGHTLINE_ASSIGN_OR_RETURN(const std::string config_json, read("config.json"));
  SIGHTLINE_ASSIGN_OR_RETURN(const JsonObject config, JsonObject::Parse(config_json));
  SIGHTLINE_ASSIGN_OR_RETURN(const std::string preprocessor_json, read("preprocessor_config.json"));
  SIGHTLINE_ASSIGN_OR_RETURN(auto preprocessor, ImagePreprocessor::Parse(preprocessor_json));
  std::unique_ptr<ClipEncoder> encoder(new ClipEncoder(std::move(preprocessor)));

  const std::string vocabulary = io::JoinPath(options.folder, "vocab.json");
  SIGHTLINE_ASSIGN_OR_RETURN(
      encoder->tokenizer_,
      text::BpeTokenizer::Load(vocabulary, io::JoinPath(options.folder, "merges.txt")));
  const double tokens = config.Number("text_config.max_position_embeddings").value_or(77);
  if (!(tokens >= 3 && tokens <= kMaxTextTokens)) {
    return base::DataLoss("text_config.max_position_embeddings is out of range: " + options.folder);
  }
  encoder->text_tokens_ = static_cast<std::size_t>(tokens);

  SIGHTLINE_ASSIGN_OR_RETURN(const std::string vision, FindTower(files, options.folder, "vision"));
  SIGHTLINE_ASSIGN_OR_RETURN(const std::string text, FindTower(files, options.folder, "text"));
  SIGHTLINE_ASSIGN_OR_RETURN(encoder->vision_, OnnxSession::Open(vision, options.onnx));
  SIGHTLINE_ASSIGN_OR_RETURN(encoder->text_, OnnxSession::Open(text, options.onnx));
  if (!encoder->vision_->HasInput("pixel_values") || !encoder->text_->HasInput("input_ids")) {
    return base::DataLoss("the towers have other inputs than pixel_values and input_ids: " +
                          options.folder);
  }
  SIGHTLINE_ASSIGN_OR_RETURN(encoder->vision_output_,
                             FindOutput(*encoder->vision_, "image_embeds"));
  SIGHTLINE_ASSIGN_OR_RETURN(encoder->text_output_, FindOutput(*encoder->text_, "text_embeds"));

  EmbeddingSpace& space = encoder->space_;
  space.name = "dual";
  space.model = options.name;
  const double dims = config.Number("projection_dim").value_or(512);
  if (!(dims >= 1 && dims <= 4096)) return base::DataLoss("projection_dim is out of range");
  space.dims = static_cast<int>(dims);
  space.weights_sha256 = options.weights_sha256;
  if (space.weights_sha256.empty()) {
    SIGHTLINE_ASSIGN_OR_RETURN(const std::string vision_digest, DigestOfFile(files, vision));
    SIGHTLINE_ASSIGN_OR_RETURN(const std::string text_digest, DigestOfFile(files, text));
    space.weights_sha256 = base::Sha256Hex(vision_digest + text_digest + preprocessor_json);
  }
  SIGHTLINE_ASSIGN_OR_RETURN(space.tokenizer_sha256, DigestOfFile(files, vocabulary));
  return std::unique_ptr<DualEncoder>(std::move(encoder));
}

}  // namespace

base::Result<std::unique_ptr<DualEncoder>> OpenClipEncoder(const ClipOptions& options,
                                                           io::FileSystem& files) {
  return ClipEncoder::Open(options, files);
}

}  // namespace sightline::model
