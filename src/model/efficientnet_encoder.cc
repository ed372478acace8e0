#include "model/efficientnet_encoder.h"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <utility>

#include "base/digest.h"
#include "base/mutex.h"
#include "model/image_resample.h"
#include "model/l2_normalize.h"

namespace sightline::model {
namespace {

constexpr int kSide = 224;
constexpr int kMargin = 32;
constexpr int kFeatureDims = 1280;
constexpr std::size_t kConsensusClasses = 50;
constexpr std::size_t kTopConcepts = 5;
constexpr std::size_t kBatch = 8;
constexpr std::size_t kPlane = std::size_t{kSide} * kSide;

/// The square S / (S + 32) of the shorter side in the middle, bicubic to S, (x - 127) / 128.
base::Status Prepare(const media::Image& image, std::span<float> values) {
  if (image.IsEmpty()) return base::InvalidArgument("a picture to encode is empty");
  const int shorter = std::min(image.width, image.height);
  const int side = std::max(
      1, static_cast<int>(std::lround(static_cast<double>(shorter) * kSide / (kSide + kMargin))));
  const media::Image square =
      Crop(image, (image.width - side) / 2, (image.height - side) / 2, side, side);
  SIGHTLINE_ASSIGN_OR_RETURN(const media::Image scaled,
                             Resample(square, kSide, kSide, ResampleFilter::kBicubic));
  for (std::size_t pixel = 0; pixel < kPlane; ++pixel) {
    for (std::size_t channel = 0; channel < 3; ++channel) {
      const float value = scaled.pixels[pixel * 3 + channel];
      values[channel * kPlane + pixel] = (value - 127.0F) / 128.0F;
    }
  }
  return base::OkStatus();
}

std::vector<float> Softmax(std::span<const float> logits) {
  const float highest = *std::ranges::max_element(logits);
  std::vector<float> result;
  float sum = 0;
  for (const float logit : logits) {
    result.push_back(std::exp(logit - highest));
    sum += result.back();
  }
  for (float& value : result) value /= sum;
  return result;
}

class EfficientNetEncoder final : public ImageEncoder {
 public:
  EfficientNetEncoder(const EfficientNetOptions& options, std::shared_ptr<TextEncoder> text)
      : options_(options), text_(std::move(text)) {
    feature_space_.name = "image";
    feature_space_.model = options.registry_name;
    feature_space_.weights_sha256 = options.weights_sha256;
    feature_space_.dims = kFeatureDims;
    const EmbeddingSpace& sentence = text_->sentence_space();
    concept_space_.name = "concept";
    concept_space_.model = options.registry_name + "+" + sentence.model;
    concept_space_.weights_sha256 =
        base::Sha256Hex(options.weights_sha256 + sentence.weights_sha256);
    concept_space_.tokenizer_sha256 = sentence.tokenizer_sha256;
    concept_space_.dims = sentence.dims;
  }

  const EmbeddingSpace& feature_space() const override { return feature_space_; }
  const EmbeddingSpace& concept_space() const override { return concept_space_; }

  base::Result<std::vector<ImageEmbedding>> Encode(std::span<const media::Image> images,
                                                   const base::CancelToken& cancel) override {
    SIGHTLINE_RETURN_IF_ERROR(Open(cancel));
    std::vector<ImageEmbedding> embeddings;
    for (std::size_t start = 0; start < images.size(); start += kBatch) {
      const auto batch = images.subspan(start, std::min(kBatch, images.size() - start));
      SIGHTLINE_RETURN_IF_ERROR(EncodeBatch(batch, cancel, &embeddings));
    }
    return embeddings;
  }

  base::Result<std::vector<float>> ConceptQuery(std::string_view query,
                                                text::Language language) override {
    const TextInput input{std::string(query), TextRole::kQuery, language};
    SIGHTLINE_ASSIGN_OR_RETURN(auto embeddings, text_->Encode(std::span(&input, 1), {}));
    return std::move(embeddings[0].sentence);
  }

 private:
  /// Loads the model and the class names at the first picture: a search with words needs neither.
  base::Status Open(const base::CancelToken& cancel) {
    const base::MutexLock lock(mutex_);
    if (concepts_ != nullptr) return base::OkStatus();
    SIGHTLINE_ASSIGN_OR_RETURN(auto session, OnnxSession::Open(options_.model, options_.onnx));
    if (!session->HasInput("image") || !session->HasOutput("logits") ||
        !session->HasOutput("features")) {
      return base::DataLoss("not a picture classifier (image to logits, features): " +
                            options_.model.string());
    }
    session_ = std::move(session);
    SIGHTLINE_ASSIGN_OR_RETURN(concepts_, ConceptTable::Open(options_.concepts, *text_, cancel));
    return base::OkStatus();
  }

  base::Status EncodeBatch(std::span<const media::Image> images, const base::CancelToken& cancel,
                           std::vector<ImageEmbedding>* embeddings) const {
    std::vector<float> values(images.size() * kPlane * 3);
    for (std::size_t i = 0; i < images.size(); ++i) {
      SIGHTLINE_RETURN_IF_ERROR(cancel.Check());
      SIGHTLINE_RETURN_IF_ERROR(
          Prepare(images[i], std::span(values).subspan(i * kPlane * 3, kPlane * 3)));
    }
    const OnnxInput input{"image",
                          {static_cast<std::int64_t>(images.size()), 3, kSide, kSide},
                          std::span<const float>(values)};
    const std::vector<std::string> outputs = {"logits", "features"};
    SIGHTLINE_ASSIGN_OR_RETURN(const auto tensors,
                               session_->Run(std::span(&input, 1), outputs, cancel));
    const std::size_t classes = concepts_->size();
    if (tensors[0].values.size() != images.size() * classes ||
        tensors[1].values.size() != images.size() * kFeatureDims) {
      return base::DataLoss("the image model has another number of classes than its names");
    }
    for (std::size_t i = 0; i < images.size(); ++i) {
      const auto features = tensors[1].values.subspan(i * kFeatureDims, kFeatureDims);
      ImageEmbedding embedding;
      embedding.features.assign(features.begin(), features.end());
      L2Normalize(embedding.features);
      const auto probabilities = Softmax(tensors[0].values.subspan(i * classes, classes));
      embedding.concepts = concepts_->Combine(probabilities, kConsensusClasses);
      for (const std::size_t index : LargestIndices(probabilities, kTopConcepts)) {
        embedding.top_concepts.push_back({concepts_->name(index), probabilities[index]});
      }
      embeddings->push_back(std::move(embedding));
    }
    return base::OkStatus();
  }

  // Constant after construction.
  const EfficientNetOptions options_;
  const std::shared_ptr<TextEncoder> text_;
  EmbeddingSpace feature_space_;
  EmbeddingSpace concept_space_;

  // Set once by `Open` under the mutex, constant afterwards.
  base::Mutex mutex_;
  std::unique_ptr<OnnxSession> session_;
  std::unique_ptr<ConceptTable> concepts_;
};

}  // namespace

base::Result<std::unique_ptr<ImageEncoder>> OpenEfficientNetEncoder(
    const EfficientNetOptions& options, std::shared_ptr<TextEncoder> text) {
  if (!std::filesystem::is_regular_file(options.model)) {
    return base::NotFound("the model file is missing: " + options.model.string());
  }
  return std::unique_ptr<ImageEncoder>(
      std::make_unique<EfficientNetEncoder>(options, std::move(text)));
}

}  // namespace sightline::model
