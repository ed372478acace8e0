// Speech recognition with whisper.cpp.
#pragma once

#include <filesystem>
#include <memory>

#include "base/result.h"
#include "model/recognizer.h"

namespace sightline::model {

/// Where the model is and how many threads it has.
struct WhisperOptions {
  std::filesystem::path model;  ///< A ggml file of whisper.cpp.
  int threads = 1;
};

/// The weights are loaded at the first sound and released after half a minute without one; what a
/// transcription needs beside them is allocated for its time only. `kUnavailable` on a processor
/// that the library was not compiled for, `kNotFound` without the file.
base::Result<std::unique_ptr<SpeechEngine>> OpenWhisperEngine(const WhisperOptions& options);

}  // namespace sightline::model
