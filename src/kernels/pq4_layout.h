// How large groups of 4-bit codes are (pq4_scan.h).
#pragma once

#include <cstddef>

#include "kernels/pq4_scan.h"

namespace sightline::kernels {

/// Sub-vectors of a group: up to a multiple of 4.
constexpr std::size_t Pq4Padded(std::size_t sub_vectors) { return (sub_vectors + 3) / 4 * 4; }
/// Bytes of a group.
constexpr std::size_t Pq4GroupBytes(std::size_t sub_vectors) { return Pq4Padded(sub_vectors) * 16; }

}  // namespace sightline::kernels
