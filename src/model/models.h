// The models that one process uses.
#pragma once

#include "base/result.h"
#include "model/encoder.h"
#include "model/recognizer.h"

namespace sightline::model {

/// Hands out models, each opened at its first use and owned by this object. A model that is not
/// installed or switched off is `kNotFound` with what to do. Thread-safe.
class Models {
 public:
  virtual ~Models() = default;
  virtual base::Result<TextEncoder*> Text() = 0;
  virtual base::Result<ImageEncoder*> Image() = 0;
  virtual base::Result<OcrEngine*> Ocr() = 0;
  virtual base::Result<SpeechEngine*> Speech() = 0;
  virtual base::Result<DualEncoder*> Dual() = 0;
};

}  // namespace sightline::model
