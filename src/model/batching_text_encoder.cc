#include "model/batching_text_encoder.h"

#include <malloc.h>

#include <atomic>
#include <list>
#include <utility>

#include "base/mutex.h"

namespace sightline::model {
namespace {

constexpr std::size_t kRememberedQueries = 64;
/// Longer texts are not worth their memory.
constexpr std::size_t kMaxRememberedBytes = 1024;

/// The last queries, most recent first. Thread-safe.
class QueryMemory {
 public:
  static bool Fits(const TextInput& input) {
    return input.role == TextRole::kQuery && input.text.size() <= kMaxRememberedBytes;
  }

  std::optional<TextEmbedding> Find(const TextInput& input) {
    const base::MutexLock lock(mutex_);
    for (auto entry = entries_.begin(); entry != entries_.end(); ++entry) {
      if (entry->first.language == input.language && entry->first.text == input.text) {
        entries_.splice(entries_.begin(), entries_, entry);
        return entry->second;
      }
    }
    return std::nullopt;
  }

  void Add(const TextInput& input, const TextEmbedding& embedding) {
    const base::MutexLock lock(mutex_);
    entries_.emplace_front(input, embedding);
    if (entries_.size() > kRememberedQueries) entries_.pop_back();
  }

 private:
  base::Mutex mutex_;
  std::list<std::pair<TextInput, TextEmbedding>> entries_ SIGHTLINE_GUARDED_BY(mutex_);
};

class BatchingTextEncoder final : public TextEncoder {
 public:
  BatchingTextEncoder(std::unique_ptr<TextEncoder> encoder, const BatcherOptions& options)
      : encoder_(std::move(encoder)),
        batcher_(options,
                 [this](std::span<const TextInput> inputs, const base::CancelToken& cancel) {
                   auto embeddings = encoder_->Encode(inputs, cancel);
                   GiveBackMemory(inputs);
                   return embeddings;
                 }) {}

  const EmbeddingSpace& sentence_space() const override { return encoder_->sentence_space(); }
  const EmbeddingSpace& token_space() const override { return encoder_->token_space(); }
  std::size_t max_tokens() const override { return encoder_->max_tokens(); }
  std::size_t CountTokens(std::string_view text) const override {
    return encoder_->CountTokens(text);
  }

  base::Result<std::vector<TextEmbedding>> Encode(std::span<const TextInput> inputs,
                                                  const base::CancelToken& cancel) override {
    if (inputs.size() == 1 && QueryMemory::Fits(inputs[0])) {
      if (auto known = memory_.Find(inputs[0])) {
        SIGHTLINE_RETURN_IF_ERROR(cancel.Check());
        return std::vector<TextEmbedding>{*std::move(known)};
      }
    }
    std::vector<std::size_t> tokens;
    for (const TextInput& input : inputs) tokens.push_back(EstimateTokens(input.text));
    SIGHTLINE_ASSIGN_OR_RETURN(auto embeddings, batcher_.Run(inputs, tokens, cancel));
    if (inputs.size() == 1 && QueryMemory::Fits(inputs[0])) memory_.Add(inputs[0], embeddings[0]);
    return embeddings;
  }

 private:
  /// Within a factor of two for both languages, without tokenizing twice: a piece has about four
  /// bytes.
  std::size_t EstimateTokens(std::string_view text) const {
    return std::min(encoder_->max_tokens(), 4 + text.size() / 4);
  }

  /// Long batches leave some hundred megabytes of freed activations with the allocator; giving them
  /// back takes a few milliseconds, so it is done about once a second of encoding.
  void GiveBackMemory(std::span<const TextInput> inputs) {
    constexpr std::size_t kBytesBetween = 16 << 10;
    std::size_t bytes = 0;
    for (const TextInput& input : inputs) bytes += input.text.size();
    if (encoded_bytes_.fetch_add(bytes) + bytes < kBytesBetween) return;
    encoded_bytes_ = 0;
    malloc_trim(0);
  }

  const std::unique_ptr<TextEncoder> encoder_;
  QueryMemory memory_;
  std::atomic<std::size_t> encoded_bytes_ = 0;
  Batcher batcher_;
};

}  // namespace

std::unique_ptr<TextEncoder> MakeBatchingTextEncoder(std::unique_ptr<TextEncoder> encoder,
                                                     const BatcherOptions& options) {
  return std::make_unique<BatchingTextEncoder>(std::move(encoder), options);
}

}  // namespace sightline::model
