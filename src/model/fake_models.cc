#include "model/fake_models.h"

#include <algorithm>
#include <array>
#include <cmath>

#include "base/random.h"
#include "model/l2_normalize.h"
#include "text/analyzer.h"

namespace sightline::model {
namespace {

constexpr int kTextDims = 32;
constexpr int kFeatureDims = 3;

EmbeddingSpace Space(std::string name, int dims, Multiplicity multiplicity) {
  EmbeddingSpace space;
  space.name = name;
  space.model = "fake-" + name;
  space.weights_sha256 = std::string(64, '0');
  space.dims = dims;
  space.multiplicity = multiplicity;
  return space;
}

std::vector<float> WordVector(const std::string& word) {
  std::uint64_t seed = 14695981039346656037ULL;  // FNV-1a
  for (const char c : word) seed = (seed ^ static_cast<unsigned char>(c)) * 1099511628211ULL;
  base::SeededRandom random(seed);
  std::vector<float> vector(kTextDims);
  for (float& value : vector) {
    std::array<std::byte, 2> bytes{};
    random.Fill(bytes);
    const int drawn = std::to_integer<int>(bytes[0]) * 256 + std::to_integer<int>(bytes[1]);
    value = static_cast<float>(drawn) / 32768.0F - 1;
  }
  L2Normalize(vector);
  return vector;
}

std::array<double, 3> MeanColour(const media::Image& image) {
  std::array<double, 3> sums{};
  for (std::size_t i = 0; i < image.pixels.size(); ++i) sums[i % 3] += image.pixels[i];
  return sums;
}

}  // namespace

FakeTextEncoder::FakeTextEncoder()
    : sentence_space_(Space("text", kTextDims, Multiplicity::kSingle)),
      token_space_(Space("text_tokens", kTextDims, Multiplicity::kMulti)) {}

std::size_t FakeTextEncoder::CountTokens(std::string_view text) const {
  return text::Analyze(text).size();
}

base::Result<std::vector<TextEmbedding>> FakeTextEncoder::Encode(std::span<const TextInput> inputs,
                                                                 const base::CancelToken& cancel) {
  SIGHTLINE_RETURN_IF_ERROR(cancel.Check());
  std::vector<TextEmbedding> embeddings;
  for (const TextInput& input : inputs) {
    TextEmbedding embedding;
    embedding.sentence.assign(kTextDims, 0.0F);
    embedding.sentence[0] = 1e-3F;
    embedding.tokens.dims = kTextDims;
    for (const text::Token& token : text::Analyze(input.text)) {
      const std::vector<float> vector = WordVector(token.term);
      for (int i = 0; i < kTextDims; ++i) {
        embedding.sentence[static_cast<std::size_t>(i)] += vector[static_cast<std::size_t>(i)];
      }
      embedding.tokens.values.insert(embedding.tokens.values.end(), vector.begin(), vector.end());
    }
    L2Normalize(embedding.sentence);
    if (embedding.tokens.values.empty()) embedding.tokens.values = embedding.sentence;
    embeddings.push_back(std::move(embedding));
  }
  return embeddings;
}

FakeImageEncoder::FakeImageEncoder(FakeTextEncoder& text)
    : text_(text),
      feature_space_(Space("image", kFeatureDims, Multiplicity::kSingle)),
      concept_space_(Space("concept", kTextDims, Multiplicity::kSingle)) {}

base::Result<std::vector<ImageEmbedding>> FakeImageEncoder::Encode(
    std::span<const media::Image> images, const base::CancelToken& cancel) {
  static const std::array<std::string, 3> kNames = {"red", "green", "blue"};
  std::vector<ImageEmbedding> embeddings;
  for (const media::Image& image : images) {
    const std::array<double, 3> colour = MeanColour(image);
    const auto strongest =
        static_cast<std::size_t>(std::max_element(colour.begin(), colour.end()) - colour.begin());
    ImageEmbedding embedding;
    for (const double part : colour) embedding.features.push_back(static_cast<float>(part) + 1);
    L2Normalize(embedding.features);
    SIGHTLINE_ASSIGN_OR_RETURN(embedding.concepts,
                               ConceptQuery(kNames[strongest], text::Language::kEnglish));
    embedding.top_concepts = {{kNames[strongest], 1.0F}};
    SIGHTLINE_RETURN_IF_ERROR(cancel.Check());
    embeddings.push_back(std::move(embedding));
  }
  return embeddings;
}

base::Result<std::vector<float>> FakeImageEncoder::ConceptQuery(std::string_view query,
                                                                text::Language language) {
  const TextInput input{std::string(query), TextRole::kQuery, language};
  SIGHTLINE_ASSIGN_OR_RETURN(const auto embeddings, text_.Encode({&input, 1}, {}));
  return embeddings.front().sentence;
}

base::Result<std::vector<OcrLine>> FakeOcr::Recognize(const media::Image& image,
                                                      const base::CancelToken& cancel) {
  SIGHTLINE_RETURN_IF_ERROR(cancel.Check());
  return image.IsEmpty() ? std::vector<OcrLine>() : lines;
}

base::Result<std::vector<SpeechSegment>> FakeSpeech::Transcribe(std::span<const float> samples,
                                                                const base::CancelToken& cancel) {
  SIGHTLINE_RETURN_IF_ERROR(cancel.Check());
  return samples.empty() ? std::vector<SpeechSegment>() : segments;
}

}  // namespace sightline::model
