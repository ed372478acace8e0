// Previews of hits as files with a name that viewers understand.
#pragma once

#include <string>

#include "engine/engine.h"

namespace sightline::cmd {

/// Writes previews below `$XDG_CACHE_HOME/sightline/previews/`, each once, named by its digest.
/// Keeps the newest 500. Previews are a convenience: where one cannot be written there is no path.
class PreviewFiles {
 public:
  explicit PreviewFiles(engine::Engine& engine) : engine_(engine) {}  ///< Not owned.

  /// Path of the file with the preview, or empty.
  std::string PathOf(const std::string& sha256);

 private:
  std::string Write(const std::string& sha256);

  engine::Engine& engine_;
};

}  // namespace sightline::cmd
