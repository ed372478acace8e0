// Which recognised segments are speech and which the recogniser made up.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "model/recognizer.h"

namespace sightline::model {

/// A segment as the recogniser gave it.
struct SpeechCandidate {
  std::string text;
  std::int64_t duration_ms = 0;
  float no_speech_probability = 0;
  float mean_log_probability = 0;  ///< Over its text tokens.
};

/// Without the spaces around it, and without parts in brackets and notes that describe sounds
/// ("[BLANK_AUDIO]", "(music)", "♪").
std::string CleanSpeechText(std::string_view text);

/// False for what recognisers invent on noise and silence: probably no speech, unlikely words,
/// more letters a second than anybody speaks, one phrase over and over.
bool IsPlausibleSpeech(const SpeechCandidate& candidate);

/// Removes runs of three or more segments with the same text: recognisers loop on music, people do
/// not say a sentence three times without a word between.
void RemoveLoops(std::vector<SpeechSegment>* segments);

}  // namespace sightline::model
