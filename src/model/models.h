// The models that one process uses.
#pragma once

#include <memory>

#include "base/result.h"
#include "model/encoder.h"
#include "model/recognizer.h"

namespace sightline::model {

/// Each getter opens its model at the first call and gives the same object afterwards; the status
/// is the reason why there is none (`kNotFound`, with what to do, for a model that is not installed
/// or not wanted). Different models open at the same time when asked from different threads.
/// Thread-safe.
class Models {
 public:
  virtual ~Models() = default;
  /// Words to vectors.
  virtual base::Result<std::shared_ptr<TextEncoder>> Text() = 0;
  /// Pictures to features and concepts.
  virtual base::Result<std::shared_ptr<ImageEncoder>> Image() = 0;
  /// Text in pictures.
  virtual base::Result<std::shared_ptr<OcrEngine>> Ocr() = 0;
  /// Speech in sound.
  virtual base::Result<std::shared_ptr<SpeechEngine>> Speech() = 0;
  /// Words and pictures to one space.
  virtual base::Result<std::shared_ptr<DualEncoder>> Dual() = 0;
};

}  // namespace sightline::model
