// Finding the nearest centroid beside finding the largest dot product alone.
#pragma once

#include "kernels/kernel_table.h"

namespace sightline::bench {

/// Prints the time of `best_dots` and `max_dots` of 64 vectors against 256 to 4,096 groups of
/// centroids of 128 and 384 dims; the best of `runs`.
void ReportCentroids(const kernels::KernelTable& table, int runs);

}  // namespace sightline::bench
