#include "model/speech_activity.h"

#include <algorithm>
#include <cmath>

namespace sightline::model {
namespace {

constexpr std::size_t kFrame = kSpeechSampleRate / 50;  // 20 ms
/// Nothing quieter than this is speech (dB of full scale).
constexpr float kQuietestDb = -55.0F;
/// A background louder than this does not raise the threshold further.
constexpr float kLoudestThresholdDb = -35.0F;
constexpr float kAboveBackgroundDb = 8.0F;
/// Speech rises and falls by more than this within a range; noise and hum do not.
constexpr float kModulationDb = 7.0F;
constexpr std::size_t kPaddingFrames = 10;  // 200 ms
constexpr std::size_t kBridgeFrames = 25;   // pauses shorter than 500 ms belong to the range
constexpr std::size_t kShortestFrames = 6;  // 120 ms of sound
constexpr std::size_t kGapSamples = kSpeechSampleRate * 3 / 10;

std::vector<float> FrameLevels(std::span<const float> samples) {
  std::vector<float> levels;
  for (std::size_t start = 0; start + kFrame <= samples.size(); start += kFrame) {
    double mean = 0;
    for (const float sample : samples.subspan(start, kFrame)) mean += static_cast<double>(sample);
    mean /= kFrame;
    double energy = 0;
    for (const float sample : samples.subspan(start, kFrame)) {
      const double value = static_cast<double>(sample) - mean;
      energy += value * value;
    }
    // A sample that is not a number counts as silence.
    const double power = std::isfinite(energy) ? energy / kFrame : 0.0;
    levels.push_back(static_cast<float>(10.0 * std::log10(power + 1e-12)));
  }
  return levels;
}

float Percentile(std::vector<float> values, double fraction) {
  const auto index = static_cast<std::ptrdiff_t>(fraction * static_cast<double>(values.size() - 1));
  std::nth_element(values.begin(), values.begin() + index, values.end());
  return values[static_cast<std::size_t>(index)];
}

/// Ranges of frames above `threshold`, short pauses bridged, clicks left out.
std::vector<SampleRange> LoudFrames(std::span<const float> levels, float threshold) {
  std::vector<SampleRange> ranges;
  for (std::size_t i = 0; i < levels.size(); ++i) {
    if (levels[i] < threshold) continue;
    if (!ranges.empty() && i - ranges.back().end < kBridgeFrames) {
      ranges.back().end = i + 1;
    } else {
      ranges.push_back({i, i + 1});
    }
  }
  std::erase_if(ranges, [](const SampleRange& range) { return range.size() < kShortestFrames; });
  return ranges;
}

bool IsModulated(std::span<const float> levels) {
  const std::vector<float> values(levels.begin(), levels.end());
  return Percentile(values, 0.95) - Percentile(values, 0.10) >= kModulationDb;
}

}  // namespace

std::vector<SampleRange> FindSpeechActivity(std::span<const float> samples) {
  const std::vector<float> levels = FrameLevels(samples);
  if (levels.empty()) return {};
  const float background = Percentile(levels, 0.10);
  const float threshold =
      std::max(kQuietestDb, std::min(background + kAboveBackgroundDb, kLoudestThresholdDb));
  std::vector<SampleRange> result;
  for (const SampleRange& loud : LoudFrames(levels, threshold)) {
    const SampleRange padded = {loud.begin - std::min(loud.begin, kPaddingFrames),
                                std::min(loud.end + kPaddingFrames, levels.size())};
    if (!IsModulated(std::span(levels).subspan(padded.begin, padded.size()))) continue;
    const bool last_frame = padded.end == levels.size();
    const SampleRange range = {padded.begin * kFrame,
                               last_frame ? samples.size() : padded.end * kFrame};
    if (!result.empty() && range.begin <= result.back().end) {
      result.back().end = range.end;
    } else {
      result.push_back(range);
    }
  }
  return result;
}

CondensedSound::CondensedSound(std::span<const float> samples,
                               std::span<const SampleRange> ranges) {
  for (const SampleRange& range : ranges) {
    if (!pieces_.empty()) {
      const std::size_t silence = range.begin - pieces_.back().original.end;
      condensed_.insert(condensed_.end(), std::min(silence, kGapSamples), 0.0F);
    }
    pieces_.push_back({condensed_.size(), range});
    const auto part = samples.subspan(range.begin, range.size());
    condensed_.insert(condensed_.end(), part.begin(), part.end());
  }
}

std::int64_t CondensedSound::OriginalMs(std::int64_t condensed_ms, Edge edge) const {
  constexpr auto kPerMs = static_cast<std::int64_t>(kSpeechSampleRate / 1000);
  const auto position = static_cast<std::size_t>(std::max<std::int64_t>(condensed_ms, 0) * kPerMs);
  if (pieces_.empty()) return condensed_ms;
  std::size_t index = 0;
  while (index + 1 < pieces_.size() && pieces_[index + 1].condensed_begin <= position) ++index;
  const Piece& piece = pieces_[index];
  const std::size_t offset = position - std::min(position, piece.condensed_begin);
  std::size_t original = piece.original.begin + std::min(offset, piece.original.size());
  if (edge == Edge::kStart && offset >= piece.original.size() && index + 1 < pieces_.size()) {
    original = pieces_[index + 1].original.begin;
  }
  return static_cast<std::int64_t>(original) / kPerMs;
}

}  // namespace sightline::model
