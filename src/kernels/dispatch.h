// Which kernels this machine runs.
#pragma once

#include <string_view>
#include <vector>

#include "kernels/kernel_table.h"

namespace sightline::kernels {

/// The best table that this machine can run, chosen once. `SIGHTLINE_FORCE_ISA` (a name of a
/// table) pins another one; a name that is unknown or that the machine cannot run is reported on
/// stderr and ignored. Thread-safe.
const KernelTable& Kernels();

/// Every table that this machine can run, the reference first.
std::vector<const KernelTable*> RunnableKernels();

/// Names of all tables that were built, for tests that say what they skip.
std::vector<std::string_view> BuiltKernelNames();

/// What `Kernels` chooses when `SIGHTLINE_FORCE_ISA` is `forced` (empty: not set).
const KernelTable& ChooseKernels(std::string_view forced);

}  // namespace sightline::kernels
