// CPU time of the encode threads by stage: what a benchmark and an operator want to know first.
#pragma once

#include <array>
#include <atomic>
#include <cstdint>

namespace sightline::ingest {

/// What the encode threads do.
enum class Stage { kOcr, kSpeech, kText, kPictures, kAnalysis, kCompose, kPooling };
inline constexpr std::size_t kStageCount = 7;
/// "ocr", "speech", "text", "pictures", "analysis", "compose", "pooling".
const char* StageName(Stage stage);

/// Sums since the start. Thread-safe.
class StageTimes {
 public:
  /// Adds CPU time to a stage.
  void Add(Stage stage, std::int64_t cpu_ns) {
    cpu_ns_[static_cast<std::size_t>(stage)].fetch_add(cpu_ns, std::memory_order_relaxed);
  }
  /// CPU seconds of a stage.
  double seconds(Stage stage) const {
    constexpr double kNanosPerSecond = 1e9;
    return static_cast<double>(cpu_ns_[static_cast<std::size_t>(stage)].load()) / kNanosPerSecond;
  }

 private:
  std::array<std::atomic<std::int64_t>, kStageCount> cpu_ns_{};
};

/// Adds the calling thread's CPU time between construction and destruction.
class StageTimer {
 public:
  StageTimer(StageTimes& times, Stage stage);
  ~StageTimer();
  StageTimer(const StageTimer&) = delete;
  StageTimer& operator=(const StageTimer&) = delete;

 private:
  StageTimes& times_;
  const Stage stage_;
  const std::int64_t start_ns_;
};

}  // namespace sightline::ingest
