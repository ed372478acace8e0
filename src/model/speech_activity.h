// Where somebody may be speaking, by loudness: silence and steady noise cost no recognition.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

namespace sightline::model {

/// Samples [begin, end) of the sound.
struct SampleRange {
  std::size_t begin = 0;
  std::size_t end = 0;

  /// In samples.
  std::size_t size() const { return end - begin; }
};

/// Samples a second of all sound here.
constexpr std::size_t kSpeechSampleRate = 16000;

/// Ranges that are louder than the background and whose loudness changes as speech's does, with
/// 200 ms around them; in order, not overlapping. Steady noise, hum and silence give none.
std::vector<SampleRange> FindSpeechActivity(std::span<const float> samples);

/// Ranges put one after the other, with the silence between them shortened to 300 ms, so that the
/// recogniser's fixed windows hold speech.
class CondensedSound {
 public:
  /// Copies `ranges` of `samples`.
  CondensedSound(std::span<const float> samples, std::span<const SampleRange> ranges);

  /// The condensed sound.
  std::span<const float> samples() const { return condensed_; }
  /// The time in the original sound of a time in the condensed one, both in ms. Times inside a
  /// shortened silence go to its nearer edge: with `kStart` to the range that follows, with `kEnd`
  /// to the one before.
  enum class Edge { kStart, kEnd };
  std::int64_t OriginalMs(std::int64_t condensed_ms, Edge edge) const;

 private:
  struct Piece {
    std::size_t condensed_begin = 0;
    SampleRange original;
  };
  std::vector<float> condensed_;
  std::vector<Piece> pieces_;
};

}  // namespace sightline::model
