#include "cmd/temporary_folder.h"

#include <stdlib.h>

#include <filesystem>

namespace sightline::cmd {

namespace fs = std::filesystem;

TemporaryFolder::TemporaryFolder(const std::string& purpose)
    : path_((fs::temp_directory_path() / ("sightline-" + purpose + "-XXXXXX")).string()) {
  made_ = mkdtemp(path_.data()) != nullptr;
}

TemporaryFolder::~TemporaryFolder() {
  std::error_code error;
  if (made_) fs::remove_all(path_, error);
}

}  // namespace sightline::cmd
