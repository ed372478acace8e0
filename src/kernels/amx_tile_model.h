// The AMX kernels on a model of the tile instructions, for tests on machines without AMX. Plain
// declarations, as in kernel_table.h.
#pragma once

#include "kernels/kernel_table.h"

namespace sightline::kernels {

/// Needs what kAvx512Kernels needs. For one thread.
extern const KernelTable kModelledAmxKernels;

/// Whether the last call gave the tiles back.
bool ModelledTilesAreReleased();

}  // namespace sightline::kernels
