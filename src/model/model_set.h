// The models that one program uses, opened when they are first needed.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "base/result.h"
#include "io/file_system.h"
#include "model/model_store.h"
#include "model/models.h"

namespace sightline::model {

/// Which models, from where, and how many threads they may use.
struct ModelOptions {
  std::string cache_folder;   ///< Holds `models/` and `concepts/`.
  std::string registry_path;  ///< models/registry.toml.
  /// Texts that are encoded at the same time; each takes one thread.
  int threads = 1;
  std::string text_model = "e5-small";
  std::string image_model = "efficientnet-lite2";  ///< Empty: none.
  std::string ocr_model = "pp-ocrv6";              ///< Empty: none.
  std::string speech_model = "whisper-base";       ///< Empty: none.
  /// Folder of a CLIP-type model or name of a pulled one; empty: none.
  std::string dual_model;
};

/// The models of the registry, opened from the cache folder.
class ModelSet : public Models {
 public:
  /// Opens every model that is configured, at the same time. Fails with the text encoder alone: it
  /// is the one that nothing works without.
  virtual base::Status OpenAll() = 0;
  /// Registry and installed files.
  virtual const ModelStore& store() const = 0;
};

/// Reads the registry; opens no model yet. `files` is not owned and outlives the set.
base::Result<std::shared_ptr<ModelSet>> OpenModels(const ModelOptions& options,
                                                   io::FileSystem& files);

}  // namespace sightline::model
