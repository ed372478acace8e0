// Kernels that score a page exactly or by short codes, on the same page.
#pragma once

#include "kernels/kernel_table.h"

namespace sightline::bench {

/// Prints the time of 32 query vectors against a page of 1,030 vectors of 128 dims, in cache, as
/// float, as binary16, as codes of 32 sub-vectors of 4 bits and of a bit a dim; the best of `runs`.
/// `fma_peak` is what the machine can do at most, in operations a second; 0 when not measured.
void ReportPage(const kernels::KernelTable& table, double fma_peak, int runs);

}  // namespace sightline::bench
