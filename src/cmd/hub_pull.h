// Models of a hub: Hugging Face's API, or a mirror at HF_ENDPOINT.
#pragma once

#include <string>

#include "base/status.h"
#include "engine/config.h"

namespace sightline::cmd {

class Session;

/// Fetches configuration, tokenizer and ONNX files of the CLIP-type repository `id` ("ORG/NAME" or
/// "ORG/NAME@REVISION") into the cache folder, checks the digests that the hub names, and registers
/// the model as "org--name". Nothing is registered before every file is whole. `kInvalidArgument`
/// for an id that is none, `kNotFound` when the repository has no ONNX towers, `kUnavailable` when
/// the hub cannot be reached.
base::Status PullFromHub(Session& session, const engine::Config& config, const std::string& id);

}  // namespace sightline::cmd
