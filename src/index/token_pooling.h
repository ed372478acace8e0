// Token pooling: fewer vectors a unit for late interaction, before they are written.
#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "base/deadline.h"
#include "base/result.h"

namespace sightline::index {

/// How many vectors are left, and which are never pooled.
struct PoolingOptions {
  /// 1 … 4: about one vector is left of so many; 1 leaves all as they are.
  int factor = 1;
  /// Vectors of special tokens, at the start and at the end of a unit: kept as they are.
  std::size_t protected_leading = 0;
  std::size_t protected_trailing = 0;
};

/// Pools the vectors of one unit (Clavié, Chaffin & Adams 2024, arXiv 2409.14683): of n that are
/// not protected, max(1, ⌈n ÷ factor⌉) are left.
///
/// `vectors` is row-major [count, dims], finite, 1 ≤ count ≤ 8,192. They are clustered by Ward's
/// linkage over cosine distance: for unit vectors that is half the squared Euclidean one, for which
/// Ward's criterion is defined. A cluster becomes the mean of its vectors, scaled to their mean
/// length: unit vectors stay unit vectors. A vector that is alone in its cluster stays the same to
/// the bit; one whose cluster cancels out to nothing is represented by the first of the cluster.
///
/// The result is row-major, in the order of each cluster's first vector, and the same on every
/// machine; of equal distances the one of lower indices counts. Takes O(count² · dims) time and
/// O(count · dims) memory. kInvalidArgument for anything else than promised here; kCancelled and
/// kDeadlineExceeded as `cancel` says.
base::Result<std::vector<float>> PoolTokens(std::span<const float> vectors, std::size_t dims,
                                            const PoolingOptions& options,
                                            const base::CancelToken& cancel);

}  // namespace sightline::index
