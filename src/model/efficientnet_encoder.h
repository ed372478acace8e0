// Image features and concepts with EfficientNet-Lite and ConSE (Norouzi et al., arXiv 1312.5650).
#pragma once

#include <filesystem>
#include <memory>
#include <string>

#include "base/result.h"
#include "model/concept_table.h"
#include "model/encoder.h"
#include "model/onnx_session.h"

namespace sightline::model {

/// Where the model is and what its spaces are called.
struct EfficientNetOptions {
  std::filesystem::path model;
  std::string registry_name;   ///< "efficientnet-lite2".
  std::string weights_sha256;  ///< Of the model file.
  OnnxOptions onnx;
  ConceptTableOptions concepts;
};

/// The classifier is loaded, and its class names encoded by `text`, at the first picture.
base::Result<std::unique_ptr<ImageEncoder>> OpenEfficientNetEncoder(
    const EfficientNetOptions& options, std::shared_ptr<TextEncoder> text);

}  // namespace sightline::model
