// Which codec made a code, as files say it.
#pragma once

#include <cstdint>

namespace sightline::format {

/// Kinds of codes. Goes to disk: never renumber.
enum class CodecKind : std::uint32_t {
  kInt8 = 1,  ///< A byte a dim and a scale a vector; needs no training.
  kPq4 = 2,   ///< Product quantisation (Jégou et al. 2011), 16 centroids a sub-vector.
  kPq8 = 3,   ///< The same with 256 centroids a sub-vector.
  kBit = 4,   ///< A bit a dim: above or below the dim's mean.
};

}  // namespace sightline::format
