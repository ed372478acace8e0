// Where the time of a decoding goes.
#pragma once

#include <array>
#include <cstddef>

namespace sightline::media {

/// The parts of a decoding that are told apart.
enum class DecodeStage {
  kPageText,  ///< Characters and graphics of a page, layout.
  kRender,    ///< A page's picture.
  kPreview,   ///< Scaling and JPEG.
  kVideo,     ///< Decoding frames.
  kKeyFrame,  ///< Looking at frames and converting those that are chosen.
  kAudio,     ///< Decoding and resampling sound.
  kCount,
};

/// Stable name of a stage ("page_text").
const char* DecodeStageName(DecodeStage stage);

/// CPU seconds of the process by stage. Not thread-safe.
class StageClock {
 public:
  /// Adds to a stage.
  void Add(DecodeStage stage, double cpu_seconds) {
    seconds_[static_cast<std::size_t>(stage)] += cpu_seconds;
  }
  /// What a stage has used.
  double seconds(DecodeStage stage) const { return seconds_[static_cast<std::size_t>(stage)]; }

 private:
  std::array<double, static_cast<std::size_t>(DecodeStage::kCount)> seconds_ = {};
};

/// CPU seconds that the process has used so far, all threads together.
double ProcessCpuSeconds();

/// Times its scope; does nothing with a null clock.
class ScopedStage {
 public:
  ScopedStage(StageClock* clock, DecodeStage stage)
      : clock_(clock), stage_(stage), start_(clock != nullptr ? ProcessCpuSeconds() : 0) {}
  ~ScopedStage() {
    if (clock_ != nullptr) clock_->Add(stage_, ProcessCpuSeconds() - start_);
  }
  ScopedStage(const ScopedStage&) = delete;
  ScopedStage& operator=(const ScopedStage&) = delete;

 private:
  StageClock* clock_;
  DecodeStage stage_;
  double start_;
};

}  // namespace sightline::media
