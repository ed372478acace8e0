// Installed models in the cache folder: where they are, and whether they are what was published.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "base/deadline.h"
#include "base/result.h"
#include "io/file_system.h"
#include "model/registry.h"

namespace sightline::model {

/// Whether the files of a model are there and as published.
enum class ModelState { kInstalled, kMissing, kDamaged };

/// "installed", "missing" or "damaged".
std::string_view ModelStateName(ModelState state);

/// What `models list` says about one model.
struct ModelStatus {
  ModelEntry entry;
  ModelState state = ModelState::kMissing;
  std::string reason;  ///< Which file and why; empty when installed.
  std::string folder;
};

/// How much of a file is read to believe in it.
enum class VerifyMode {
  kTrustStamp,  ///< Size and time equal those of the last full check: not read again.
  kFull,        ///< Every byte.
};

/// Models below `cache_folder/models/NAME/`. The stamp file `.verified` in a model's folder keeps
/// size, modification time and digest of files that were checked; a changed byte changes the time.
/// Where the folder cannot be written, files are read in full each time. Thread-safe.
class ModelStore {
 public:
  /// Reads the registry file and the `model.toml` of models that the user pulled.
  static base::Result<ModelStore> Open(io::FileSystem& files, const std::string& cache_folder,
                                       const std::string& registry_path);

  /// The registry in its order, then what the user pulled.
  const std::vector<ModelEntry>& models() const { return models_; }
  /// The model of that name; `kNotFound` says which there are.
  base::Result<const ModelEntry*> Find(std::string_view name) const;
  /// `cache_folder/models/NAME`.
  std::string FolderOf(const ModelEntry& entry) const;

  /// Path of a file whose digest is as published. `kNotFound` (with what to run) where it is
  /// missing, `kDataLoss` where its bytes differ.
  base::Result<std::string> Locate(const ModelEntry& entry, std::string_view file_name,
                                   VerifyMode mode) const;
  /// All files of a model.
  base::Status Verify(const ModelEntry& entry, VerifyMode mode,
                      const base::CancelToken& cancel) const;
  /// Every model with its state.
  std::vector<ModelStatus> List(VerifyMode mode, const base::CancelToken& cancel) const;

 private:
  ModelStore(io::FileSystem& files, std::string cache_folder)
      : files_(&files), cache_folder_(std::move(cache_folder)) {}
  base::Status ReadPulledModels();
  base::Status VerifyFile(const std::string& folder, const ModelFile& file, VerifyMode mode,
                          const base::CancelToken& cancel) const;

  io::FileSystem* files_;  // not owned
  std::string cache_folder_;
  std::vector<ModelEntry> models_;
};

}  // namespace sightline::model
