// What is installed, for `sightline models` and /v1/models.
#pragma once

#include <vector>

#include "base/deadline.h"
#include "base/result.h"
#include "engine/config.h"
#include "engine/engine.h"
#include "model/model_store.h"

namespace sightline::engine {

/// Every model of the registry with its state; `mode` says whether every byte is read.
base::Result<std::vector<ModelInfo>> ListModels(const Config& config, model::VerifyMode mode,
                                                const base::CancelToken& cancel);

}  // namespace sightline::engine
