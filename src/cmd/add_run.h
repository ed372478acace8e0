// Adding files: which ones, one after the other, then waiting for all of them.
#pragma once

#include <string>
#include <vector>

#include "cmd/exit_code.h"
#include "engine/engine.h"

namespace sightline::cmd {

class Session;

/// What `sightline add` was asked to do.
struct AddRun {
  std::vector<std::string> paths;
  std::string stdin_name = "stdin";
  engine::AddOptions options;
};

/// Files below the given paths in a fixed order. Paths that cannot be read become failures.
struct FileList {
  std::vector<std::string> files;  ///< "-" for standard input
  std::vector<std::string> failures;
};
FileList ListFiles(const std::vector<std::string>& paths);  ///< Folders in depth, sorted.

/// Adds and waits; prints one line a document. `kSomeFailed` when any failed.
ExitCode AddFiles(Session& session, const AddRun& run);

}  // namespace sightline::cmd
