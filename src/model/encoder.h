// Ports: encoders turn text and pictures into vectors of a declared embedding space.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/deadline.h"
#include "base/result.h"
#include "media/image.h"
#include "text/language.h"

namespace sightline::model {

/// One vector a unit, or many (late interaction).
enum class Multiplicity { kSingle, kMulti };

/// What makes vectors comparable. Two spaces with different ids are never compared.
struct EmbeddingSpace {
  std::string name;   ///< Role in a collection: "text", "text_tokens", "image", "concept".
  std::string model;  ///< Registry name, "e5-small".
  std::string weights_sha256;
  std::string tokenizer_sha256;  ///< Empty for pictures.
  int preprocessing_version = 1;
  int dims = 0;
  Multiplicity multiplicity = Multiplicity::kSingle;

  /// Digest over every field but `name`: equal ids mean comparable vectors. 64 hex digits.
  std::string Id() const;
};

/// On which side of a search a text stands.
enum class TextRole { kQuery, kPassage };

/// One text to encode.
struct TextInput {
  std::string text;
  TextRole role = TextRole::kPassage;
  /// Whose mean vector is subtracted (E5.md: the mean of each language on its side).
  text::Language language = text::Language::kOther;
};

/// Row-major matrix of `rows` vectors of `dims` floats, each L2-normalised.
struct VectorMatrix {
  int dims = 0;
  std::vector<float> values;

  /// Number of vectors.
  std::size_t rows() const {
    return dims == 0 ? 0 : values.size() / static_cast<std::size_t>(dims);
  }
  /// Vector `index`.
  std::span<const float> row(std::size_t index) const {
    return std::span(values).subspan(index * static_cast<std::size_t>(dims),
                                     static_cast<std::size_t>(dims));
  }
};

/// What a text encoder says about one text.
struct TextEmbedding {
  std::vector<float> sentence;  ///< [dims], language mean subtracted, L2-normalised.
  /// Content tokens only (no prefix, no special tokens), language mean subtracted, L2-normalised.
  /// A text without a content token has the sentence vector as its only row.
  VectorMatrix tokens;
  bool truncated = false;  ///< The text was longer than the encoder reads.
};

/// Text → sentence vector and token vectors. Thread-safe; threads inside are bounded.
class TextEncoder {
 public:
  virtual ~TextEncoder() = default;
  /// Space of `TextEmbedding::sentence`.
  virtual const EmbeddingSpace& sentence_space() const = 0;
  /// Space of `TextEmbedding::tokens`.
  virtual const EmbeddingSpace& token_space() const = 0;
  /// Most tokens of a text that are read, special tokens and prefix included.
  virtual std::size_t max_tokens() const = 0;
  /// Tokens that `text` takes, without prefix and special tokens.
  virtual std::size_t CountTokens(std::string_view text) const = 0;
  /// One embedding an input, in order.
  virtual base::Result<std::vector<TextEmbedding>> Encode(std::span<const TextInput> inputs,
                                                          const base::CancelToken& cancel) = 0;
};

/// A class that the picture may show.
struct Concept {
  std::string name;
  float probability = 0;
};

/// What an image encoder says about one picture.
struct ImageEmbedding {
  std::vector<float> features;  ///< [dims] of `feature_space`, L2-normalised.
  std::vector<float> concepts;  ///< [dims] of `concept_space` (the text encoder's), L2-normalised.
  std::vector<Concept> top_concepts;  ///< Most probable first, at most 5.
};

/// Picture → features (picture to picture) and a concept vector in the text encoder's sentence
/// space (ConSE, Norouzi et al., arXiv 1312.5650), so that words find pictures. Thread-safe.
class ImageEncoder {
 public:
  virtual ~ImageEncoder() = default;
  /// Space of `ImageEmbedding::features`.
  virtual const EmbeddingSpace& feature_space() const = 0;
  /// Space of `ImageEmbedding::concepts`.
  virtual const EmbeddingSpace& concept_space() const = 0;
  /// One embedding a picture, in order.
  virtual base::Result<std::vector<ImageEmbedding>> Encode(std::span<const media::Image> images,
                                                           const base::CancelToken& cancel) = 0;
  /// Vector that a text query is compared with in `concept_space`, from its encoded sentence.
  virtual base::Result<std::vector<float>> ConceptQuery(std::string_view query,
                                                        text::Language language) = 0;
};

/// CLIP-type pair of towers: words and pictures in one space. Thread-safe.
class DualEncoder {
 public:
  virtual ~DualEncoder() = default;
  /// Space of both towers.
  virtual const EmbeddingSpace& space() const = 0;
  /// One row a picture, in order.
  virtual base::Result<VectorMatrix> EncodeImages(std::span<const media::Image> images,
                                                  const base::CancelToken& cancel) = 0;
  /// One row a text, in order.
  virtual base::Result<VectorMatrix> EncodeTexts(std::span<const std::string> texts,
                                                 const base::CancelToken& cancel) = 0;
};

/// Scores how well each text answers the query; higher is better. Thread-safe.
class Reranker {
 public:
  virtual ~Reranker() = default;
  /// One score a text, in order.
  virtual base::Result<std::vector<float>> Score(std::string_view query,
                                                 std::span<const std::string> texts,
                                                 const base::CancelToken& cancel) = 0;
};

}  // namespace sightline::model
