#include "model/whisper_engine.h"

#include <malloc.h>
#include <whisper.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <string>
#include <thread>
#include <utility>

#include "base/mutex.h"
#include "base/utf8.h"
#include "model/cpu_support.h"
#include "model/speech_activity.h"
#include "model/speech_text.h"

namespace sightline::model {
namespace {

/// The language is found anew for each part of this much speech.
constexpr std::size_t kPartSamples = kSpeechSampleRate * 180;
/// whisper reads nothing shorter than a second.
constexpr std::size_t kShortestSamples = kSpeechSampleRate * 11 / 10;
constexpr float kSureOfLanguage = 0.5F;
constexpr std::chrono::seconds kIdle(30);
/// Longest sound of one call: 24 hours.
constexpr std::size_t kMaxSamples = kSpeechSampleRate * 86'400;

struct ContextDeleter {
  void operator()(whisper_context* context) const { whisper_free(context); }
};
struct StateDeleter {
  void operator()(whisper_state* state) const { whisper_free_state(state); }
};
using Context = std::unique_ptr<whisper_context, ContextDeleter>;
using State = std::unique_ptr<whisper_state, StateDeleter>;

bool IsCancelled(void* token) {
  return !static_cast<const base::CancelToken*>(token)->Check().ok();
}

/// Consecutive ranges that hold at most `kPartSamples` together (one that is longer stays whole).
std::vector<std::vector<SampleRange>> SplitIntoParts(const std::vector<SampleRange>& ranges) {
  std::vector<std::vector<SampleRange>> parts;
  std::size_t size = 0;
  for (const SampleRange& range : ranges) {
    if (parts.empty() || size + range.size() > kPartSamples) {
      parts.emplace_back();
      size = 0;
    }
    parts.back().push_back(range);
    size += range.size();
  }
  return parts;
}

class WhisperEngine final : public SpeechEngine {
 public:
  explicit WhisperEngine(const WhisperOptions& options)
      : model_(options.model), threads_(std::max(1, options.threads)) {
    releaser_ = std::thread([this] { ReleaseWhenIdle(); });
  }
  ~WhisperEngine() override {
    {
      const base::MutexLock lock(mutex_);
      stopping_ = true;
    }
    changed_.NotifyAll();
    releaser_.join();
  }

  base::Result<std::vector<SpeechSegment>> Transcribe(std::span<const float> samples,
                                                      const base::CancelToken& cancel) override {
    if (samples.size() > kMaxSamples) {
      return base::InvalidArgument("the sound is longer than 24 hours");
    }
    const std::vector<SampleRange> ranges = FindSpeechActivity(samples);
    std::vector<SpeechSegment> segments;
    if (ranges.empty()) return segments;

    const base::MutexLock lock(mutex_);
    SIGHTLINE_RETURN_IF_ERROR(Load());
    State state(whisper_init_state(context_.get()));
    if (state == nullptr) return base::ResourceExhausted("not enough memory to recognise speech");
    for (const auto& part : SplitIntoParts(ranges)) {
      SIGHTLINE_RETURN_IF_ERROR(TranscribePart(samples, part, cancel, state.get(), &segments));
    }
    state.reset();
    malloc_trim(0);
    last_used_ = std::chrono::steady_clock::now();
    RemoveLoops(&segments);
    return segments;
  }

 private:
  base::Status Load() SIGHTLINE_REQUIRES(mutex_) {
    last_used_ = std::chrono::steady_clock::now();
    if (context_ != nullptr) return base::OkStatus();
    whisper_context_params params = whisper_context_default_params();
    params.use_gpu = false;
    // On the CPU flash attention costs more than it saves.
    params.flash_attn = false;
    context_.reset(whisper_init_from_file_with_params_no_state(model_.c_str(), params));
    changed_.NotifyAll();
    if (context_ != nullptr) return base::OkStatus();
    return base::DataLoss("not a speech model of whisper.cpp: " + model_.string());
  }

  /// Loading takes half a second, a transcription many; so the weights (82 MB) leave memory when
  /// nobody has spoken for a while. Also after a transcription that failed or was cancelled.
  void ReleaseWhenIdle() {
    const base::MutexLock lock(mutex_);
    while (!stopping_) {
      if (context_ == nullptr) {
        changed_.Wait(mutex_);
        continue;
      }
      const auto idle = std::chrono::steady_clock::now() - last_used_;
      if (idle >= kIdle) {
        context_.reset();
        malloc_trim(0);
      } else {
        changed_.WaitFor(mutex_, kIdle - idle);
      }
    }
  }

  base::Status TranscribePart(std::span<const float> samples, std::span<const SampleRange> ranges,
                              const base::CancelToken& cancel, whisper_state* state,
                              std::vector<SpeechSegment>* segments) {
    SIGHTLINE_RETURN_IF_ERROR(cancel.Check());
    const CondensedSound sound(samples, ranges);
    std::vector<float> padded(sound.samples().begin(), sound.samples().end());
    padded.resize(std::max(padded.size(), kShortestSamples), 0.0F);
    SIGHTLINE_ASSIGN_OR_RETURN(const std::string language, FindLanguage(padded, state));
    base::CancelToken token = cancel;
    const whisper_full_params params = Parameters(language, &token);
    const int failed = whisper_full_with_state(context_.get(), state, params, padded.data(),
                                               static_cast<int>(padded.size()));
    SIGHTLINE_RETURN_IF_ERROR(cancel.Check());
    if (failed != 0) {
      return base::DataLoss("speech recognition failed with code " + std::to_string(failed));
    }
    Collect(sound, language, state, segments);
    return base::OkStatus();
  }

  whisper_full_params Parameters(const std::string& language, base::CancelToken* cancel) const {
    whisper_full_params params = whisper_full_default_params(WHISPER_SAMPLING_GREEDY);
    params.n_threads = threads_;
    params.language = language.c_str();
    params.greedy.best_of = 1;
    // No second try at a higher temperature: on noise it multiplies the cost and invents words.
    params.temperature_inc = 0.0F;
    params.no_context = true;
    params.suppress_nst = true;
    params.print_progress = false;
    params.print_realtime = false;
    params.print_timestamps = false;
    params.abort_callback = IsCancelled;
    params.abort_callback_user_data = cancel;
    return params;
  }

  /// The most probable language of the first 30 seconds; where that is a guess, the more probable
  /// of Chinese and English.
  base::Result<std::string> FindLanguage(std::span<const float> samples,
                                         whisper_state* state) const {
    if (whisper_is_multilingual(context_.get()) == 0) return std::string("en");
    const std::size_t window = std::min(samples.size(), kSpeechSampleRate * 30);
    std::vector<float> probabilities(static_cast<std::size_t>(whisper_lang_max_id()) + 1);
    if (whisper_pcm_to_mel_with_state(context_.get(), state, samples.data(),
                                      static_cast<int>(window), threads_) != 0) {
      return base::DataLoss("the spectrum of the sound could not be computed");
    }
    const int best = whisper_lang_auto_detect_with_state(context_.get(), state, 0, threads_,
                                                         probabilities.data());
    if (best < 0) return base::DataLoss("the language of the speech could not be found");
    if (probabilities[static_cast<std::size_t>(best)] >= kSureOfLanguage) {
      return std::string(whisper_lang_str(best));
    }
    const auto probability = [&](const char* code) {
      return probabilities[static_cast<std::size_t>(whisper_lang_id(code))];
    };
    return std::string(probability("zh") > probability("en") ? "zh" : "en");
  }

  void Collect(const CondensedSound& sound, const std::string& language, whisper_state* state,
               std::vector<SpeechSegment>* segments) const {
    const int count = whisper_full_n_segments_from_state(state);
    for (int i = 0; i < count; ++i) {
      // whisper counts in hundredths of a second.
      const std::int64_t start = whisper_full_get_segment_t0_from_state(state, i) * 10;
      const std::int64_t end = whisper_full_get_segment_t1_from_state(state, i) * 10;
      SpeechSegment segment;
      segment.start_ms = sound.OriginalMs(start, CondensedSound::Edge::kStart);
      segment.end_ms =
          std::max(segment.start_ms, sound.OriginalMs(end, CondensedSound::Edge::kEnd));
      segment.text =
          CleanSpeechText(base::SanitizeUtf8(whisper_full_get_segment_text_from_state(state, i)));
      segment.language = language;
      const SpeechCandidate candidate = {
          segment.text, end - start, whisper_full_get_segment_no_speech_prob_from_state(state, i),
          MeanLogProbability(state, i)};
      if (IsPlausibleSpeech(candidate)) segments->push_back(std::move(segment));
    }
  }

  float MeanLogProbability(whisper_state* state, int segment) const {
    const whisper_token first_special = whisper_token_eot(context_.get());
    float sum = 0;
    int count = 0;
    for (int i = 0; i < whisper_full_n_tokens_from_state(state, segment); ++i) {
      if (whisper_full_get_token_id_from_state(state, segment, i) >= first_special) continue;
      sum += std::log(std::max(whisper_full_get_token_p_from_state(state, segment, i), 1e-6F));
      ++count;
    }
    return count == 0 ? -10.0F : sum / static_cast<float>(count);
  }

  const std::filesystem::path model_;
  const int threads_;

  base::Mutex mutex_;  // one transcription at a time: each uses all threads and much memory
  base::CondVar changed_;
  Context context_;                                    // guarded by mutex_
  std::chrono::steady_clock::time_point last_used_{};  // guarded by mutex_
  bool stopping_ = false;                              // guarded by mutex_
  std::thread releaser_;
};

}  // namespace

base::Result<std::unique_ptr<SpeechEngine>> OpenWhisperEngine(const WhisperOptions& options) {
  if (!CanRunSpeechLibrary()) {
    return base::Unavailable("speech recognition needs a processor with AVX2, FMA, F16C and BMI2");
  }
  if (!std::filesystem::is_regular_file(options.model)) {
    return base::NotFound("the speech model is missing: " + options.model.string());
  }
  whisper_log_set([](ggml_log_level, const char*, void*) {}, nullptr);
  return std::unique_ptr<SpeechEngine>(std::make_unique<WhisperEngine>(options));
}

}  // namespace sightline::model
