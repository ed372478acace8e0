// Fetching models: those of the registry by their digests, CLIP-type ones from a hub.
#pragma once

#include <string>
#include <vector>

#include "cmd/exit_code.h"
#include "engine/config.h"

namespace sightline::cmd {

class Session;

/// Fetches each of `names`: a name of the registry through the fetch tool that comes with the
/// program, `hf:ORG/NAME` from the hub at HF_ENDPOINT. Prints the outcome of each.
ExitCode PullModels(Session& session, const engine::Config& config,
                    const std::vector<std::string>& names);

}  // namespace sightline::cmd
