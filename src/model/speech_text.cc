#include "model/speech_text.h"

#include <algorithm>
#include <array>
#include <iterator>
#include <utility>

namespace sightline::model {
namespace {

constexpr float kNoSpeechProbability = 0.6F;
constexpr float kUnlikelyLogProbability = -1.0F;
constexpr float kVeryUnlikelyLogProbability = -1.6F;
/// Fast speech has 25 letters, or 10 Han characters of 3 bytes, a second.
constexpr double kMaxBytesPerSecond = 60;
constexpr std::size_t kMinRepeatedBytes = 24;

struct Bracket {
  std::string_view open;
  std::string_view close;
};
constexpr std::array kBrackets = {Bracket{"[", "]"}, Bracket{"(", ")"}, Bracket{"（", "）"},
                                  Bracket{"【", "】"}, Bracket{"*", "*"}};
constexpr std::array<std::string_view, 3> kNotes = {"♪", "♫", "♬"};

std::string_view Trim(std::string_view text) {
  constexpr std::string_view kSpaces = " \t\r\n";
  const std::size_t begin = text.find_first_not_of(kSpaces);
  if (begin == std::string_view::npos) return {};
  return text.substr(begin, text.find_last_not_of(kSpaces) - begin + 1);
}

bool HasLetter(std::string_view text) {
  return std::ranges::any_of(text, [](char c) {
    const auto byte = static_cast<unsigned char>(c);
    return byte >= 0xC3 || (byte >= '0' && byte <= '9') ||
           ((byte | 0x20) >= 'a' && (byte | 0x20) <= 'z');
  });
}

/// Whether the text is mostly one phrase of at most a third of its length, repeated.
bool IsRepetition(std::string_view text) {
  if (text.size() < kMinRepeatedBytes) return false;
  for (std::size_t period = 2; period <= text.size() / 4; ++period) {
    std::size_t equal = 0;
    for (std::size_t i = period; i < text.size(); ++i) equal += text[i] == text[i - period] ? 1 : 0;
    if (static_cast<double>(equal) > 0.9 * static_cast<double>(text.size() - period)) return true;
  }
  return false;
}

}  // namespace

std::string CleanSpeechText(std::string_view text) {
  std::string clean(text);
  for (const Bracket& bracket : kBrackets) {
    std::size_t open = 0;
    while ((open = clean.find(bracket.open, open)) != std::string::npos) {
      const std::size_t close = clean.find(bracket.close, open + bracket.open.size());
      if (close == std::string::npos) break;
      clean.erase(open, close + bracket.close.size() - open);
    }
  }
  for (const std::string_view note : kNotes) {
    std::size_t at = 0;
    while ((at = clean.find(note, at)) != std::string::npos) clean.erase(at, note.size());
  }
  return std::string(Trim(clean));
}

bool IsPlausibleSpeech(const SpeechCandidate& candidate) {
  if (!HasLetter(candidate.text)) return false;
  const bool unlikely = candidate.mean_log_probability < kUnlikelyLogProbability;
  if (candidate.no_speech_probability > kNoSpeechProbability && unlikely) return false;
  if (candidate.mean_log_probability < kVeryUnlikelyLogProbability) return false;
  const double seconds =
      static_cast<double>(std::max<std::int64_t>(candidate.duration_ms, 200)) / 1000;
  if (static_cast<double>(candidate.text.size()) > kMaxBytesPerSecond * seconds) return false;
  return !IsRepetition(candidate.text);
}

void RemoveLoops(std::vector<SpeechSegment>* segments) {
  constexpr std::size_t kLoop = 3;
  std::vector<SpeechSegment> kept;
  for (std::size_t start = 0; start < segments->size();) {
    std::size_t end = start + 1;
    while (end < segments->size() && (*segments)[end].text == (*segments)[start].text) ++end;
    if (end - start < kLoop) {
      std::move(segments->begin() + static_cast<std::ptrdiff_t>(start),
                segments->begin() + static_cast<std::ptrdiff_t>(end), std::back_inserter(kept));
    }
    start = end;
  }
  *segments = std::move(kept);
}

}  // namespace sightline::model
