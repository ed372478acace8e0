// `models pull hf:ORG/NAME` on the command line: the endpoint, the token and what is said
// meanwhile.
#pragma once

#include <string>

#include "base/status.h"
#include "engine/config.h"

namespace sightline::cmd {

class Session;

/// See `model::PullModel`; `id` is "hf:ORG/NAME" or "hf:ORG/NAME@REVISION". HF_ENDPOINT names a
/// mirror, HF_TOKEN opens what is not for everybody.
base::Status PullFromHub(Session& session, const engine::Config& config, const std::string& id);

}  // namespace sightline::cmd
