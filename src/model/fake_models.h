// Models for tests: small, fast, deterministic, and still meaningful (equal words, equal vectors).
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "model/models.h"

namespace sightline::model {

/// Every word (or Han character) has a random unit vector made from its hash; a sentence is their
/// mean. Thread-safe.
class FakeTextEncoder final : public TextEncoder {
 public:
  FakeTextEncoder();
  const EmbeddingSpace& sentence_space() const override { return sentence_space_; }
  const EmbeddingSpace& token_space() const override { return token_space_; }
  std::size_t max_tokens() const override { return 512; }
  std::size_t CountTokens(std::string_view text) const override;
  base::Result<std::vector<TextEmbedding>> Encode(std::span<const TextInput> inputs,
                                                  const base::CancelToken& cancel) override;

 private:
  EmbeddingSpace sentence_space_;
  EmbeddingSpace token_space_;
};

/// Features are the mean colour; the one concept is "red", "green" or "blue". Thread-safe.
class FakeImageEncoder final : public ImageEncoder {
 public:
  /// `text` is not owned and outlives it.
  explicit FakeImageEncoder(FakeTextEncoder& text);
  const EmbeddingSpace& feature_space() const override { return feature_space_; }
  const EmbeddingSpace& concept_space() const override { return concept_space_; }
  base::Result<std::vector<ImageEmbedding>> Encode(std::span<const media::Image> images,
                                                   const base::CancelToken& cancel) override;
  base::Result<std::vector<float>> ConceptQuery(std::string_view query,
                                                text::Language language) override;

 private:
  FakeTextEncoder& text_;
  EmbeddingSpace feature_space_;
  EmbeddingSpace concept_space_;
};

/// Reads what the test put in, whatever the picture or sound.
class FakeOcr final : public OcrEngine {
 public:
  base::Result<std::vector<OcrLine>> Recognize(const media::Image& image,
                                               const base::CancelToken& cancel) override;
  std::vector<OcrLine> lines;
};

/// Hears what the test put in, whatever the sound.
class FakeSpeech final : public SpeechEngine {
 public:
  base::Result<std::vector<SpeechSegment>> Transcribe(std::span<const float> samples,
                                                      const base::CancelToken& cancel) override;
  std::vector<SpeechSegment> segments;
};

/// All of them; `installed` false makes every model `kNotFound`.
class FakeModels final : public Models {
 public:
  base::Result<std::shared_ptr<TextEncoder>> Text() override { return Get<TextEncoder>(text_); }
  base::Result<std::shared_ptr<ImageEncoder>> Image() override { return Get<ImageEncoder>(image_); }
  base::Result<std::shared_ptr<OcrEngine>> Ocr() override { return Get<OcrEngine>(ocr); }
  base::Result<std::shared_ptr<SpeechEngine>> Speech() override {
    return Get<SpeechEngine>(speech);
  }
  base::Result<std::shared_ptr<DualEncoder>> Dual() override {
    return base::NotFound("no dual encoder");
  }

  bool installed = true;
  const std::shared_ptr<FakeOcr> ocr = std::make_shared<FakeOcr>();
  const std::shared_ptr<FakeSpeech> speech = std::make_shared<FakeSpeech>();

 private:
  template <typename T, typename Fake>
  base::Result<std::shared_ptr<T>> Get(const std::shared_ptr<Fake>& model) {
    if (!installed) return base::NotFound("not installed");
    return std::shared_ptr<T>(model);
  }

  const std::shared_ptr<FakeTextEncoder> text_ = std::make_shared<FakeTextEncoder>();
  const std::shared_ptr<FakeImageEncoder> image_ = std::make_shared<FakeImageEncoder>(*text_);
};

}  // namespace sightline::model
