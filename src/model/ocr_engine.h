// OCR with PP-OCRv6: detector, recogniser, page orientation, reading order.
#pragma once

#include <filesystem>
#include <memory>

#include "base/result.h"
#include "model/onnx_session.h"
#include "model/recognizer.h"

namespace sightline::model {

/// Where the two models are and what counts as read.
struct OcrOptions {
  std::filesystem::path detector;
  std::filesystem::path recognizer;
  OnnxOptions onnx;
  /// Lines read with less confidence than this are dropped.
  float min_confidence = 0.5F;
};

/// Opens both models. The engine refuses pictures of more than 50 megapixels, reads at most 1,000
/// lines of one, and turns a page that lies on its side or upside down.
base::Result<std::unique_ptr<OcrEngine>> OpenOcrEngine(const OcrOptions& options);

}  // namespace sightline::model
