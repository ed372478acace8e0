// Standard input that Ctrl-C ends.
#pragma once

#include <cstddef>
#include <span>

#include "base/deadline.h"
#include "base/result.h"

namespace sightline::cmd {

/// Waits for bytes and reads some of them into `out`; 0 at the end. `kCancelled` when the token
/// says stop, also while nothing comes.
base::Result<std::size_t> ReadStandardInput(std::span<char> out, const base::CancelToken& cancel);

}  // namespace sightline::cmd
