// Where text stands in a picture: PP-OCR's detector (DBNet, Liao et al., arXiv 1911.08947).
#pragma once

#include <filesystem>
#include <memory>
#include <vector>

#include "base/deadline.h"
#include "base/result.h"
#include "media/image.h"
#include "model/onnx_session.h"
#include "model/quad.h"

namespace sightline::model {

/// Thresholds of DBNet's post-processing, as PP-OCR ships them.
struct TextDetectorOptions {
  int min_side = 736;   ///< The shorter side is enlarged to this, as far as `max_side` allows.
  int max_side = 1536;  ///< The longer side is reduced to this.
  float pixel_threshold = 0.3F;
  float box_threshold = 0.5F;
  double unclip_ratio = 1.6;
  std::size_t max_lines = 1000;
};

/// Finds lines of text. Thread-safe.
class TextDetector {
 public:
  /// `kDataLoss` where the model is no detector.
  static base::Result<std::unique_ptr<TextDetector>> Open(const std::filesystem::path& model,
                                                          const OnnxOptions& onnx,
                                                          const TextDetectorOptions& options);

  /// Quads in pixels of `image`, at most `max_lines` (the largest), in no order. A line that stands
  /// upright has a quad that is taller than wide.
  base::Result<std::vector<Quad>> Detect(const media::Image& image,
                                         const base::CancelToken& cancel) const;

 private:
  TextDetector(std::unique_ptr<OnnxSession> session, const TextDetectorOptions& options)
      : session_(std::move(session)), options_(options) {}

  const std::unique_ptr<OnnxSession> session_;
  const TextDetectorOptions options_;
};

}  // namespace sightline::model
