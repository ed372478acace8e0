// CLIP-type dual encoders from files that a user brings (Radford et al., arXiv 2103.00020).
#pragma once

#include <memory>
#include <string>

#include "base/result.h"
#include "io/file_system.h"
#include "model/encoder.h"
#include "model/onnx_session.h"

namespace sightline::model {

/// Where a CLIP-type model is and what it is called.
struct ClipOptions {
  /// Holds config.json, preprocessor_config.json, vocab.json, merges.txt, and the two towers as
  /// vision.onnx and text.onnx, or vision_model.onnx and text_model.onnx, there or in onnx/.
  std::string folder;
  std::string name;            ///< Of the space.
  std::string weights_sha256;  ///< Empty: computed from both towers.
  OnnxOptions onnx;
};

/// Opens both towers. Their outputs `image_embeds` and `text_embeds` (or else their only output of
/// two dimensions) are normalised.
base::Result<std::unique_ptr<DualEncoder>> OpenClipEncoder(const ClipOptions& options,
                                                           io::FileSystem& files);

}  // namespace sightline::model
