// Naming a document on the command line.
#pragma once

#include <string_view>

#include "base/result.h"
#include "engine/engine.h"

namespace sightline::cmd {

/// The document with this id, or the only one whose id starts with it (at least 4 characters) or
/// whose file has this name. `kNotFound`, or `kInvalidArgument` when several fit.
base::Result<store::Document> FindDocument(engine::Engine& engine, std::string_view name);

}  // namespace sightline::cmd
