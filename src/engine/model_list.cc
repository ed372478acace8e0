#include "engine/model_list.h"

#include <utility>

#include "engine/components.h"
#include "io/file_system.h"

namespace sightline::engine {

base::Result<std::vector<ModelInfo>> ListModels(const Config& config, model::VerifyMode mode,
                                                const base::CancelToken& cancel) {
  SIGHTLINE_ASSIGN_OR_RETURN(
      const model::ModelStore store,
      model::ModelStore::Open(io::PosixFileSystem(), CachePath(config), RegistryPath(config)));
  std::vector<ModelInfo> list;
  for (model::ModelStatus& status : store.List(mode, cancel)) {
    ModelInfo info;
    info.digest = status.entry.FilesDigest("");
    info.name = std::move(status.entry.name);
    info.kind = std::move(status.entry.kind);
    info.licence = std::move(status.entry.licence);
    for (const std::string& source : status.entry.sources) {
      info.source += (info.source.empty() ? "" : ", ") + source;
    }
    info.state = std::string(model::ModelStateName(status.state));
    if (status.state == model::ModelState::kDamaged) info.state += ": " + status.reason;
    info.dims = status.entry.dims;
    info.is_default = status.entry.is_default;
    list.push_back(std::move(info));
  }
  return list;
}

}  // namespace sightline::engine
