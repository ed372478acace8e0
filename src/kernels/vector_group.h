// How int8 vectors lie in memory and on disk: groups of 16, so that every instruction set reads
// them with whole registers (docs/format/segment.md).
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

namespace sightline::kernels {

/// Vectors of a group.
inline constexpr std::size_t kGroupLanes = 16;
/// The size of a group is a multiple of this, and files start groups at multiples of it.
inline constexpr std::size_t kGroupAlignment = 64;
/// Stored byte = code + 128, so that it is unsigned.
inline constexpr int kCodeBias = 128;

/// Bytes of a group: for each four dims, the four codes of each of 16 vectors; then 16 f32 scales.
constexpr std::size_t GroupBytes(std::size_t dims) { return ((dims + 3) / 4 + 1) * 64; }
/// Groups that `vectors` fill, the last one perhaps in part.
constexpr std::size_t GroupCount(std::size_t vectors) {
  return (vectors + kGroupLanes - 1) / kGroupLanes;
}

/// Makes a group of `GroupBytes(dims)` hold zero vectors only, with scale 0.
void ClearGroup(std::size_t dims, std::uint8_t* group);
/// Puts a vector of `codes.size()` dims into lane `lane` < 16.
void StoreVector(std::span<const std::int8_t> codes, float scale, std::size_t lane,
                 std::uint8_t* group);
/// Takes the vector of a lane out; returns its scale.
float LoadVector(const std::uint8_t* group, std::size_t lane, std::span<std::int8_t> codes);
/// The 16 scales of a group.
std::span<const float, kGroupLanes> GroupScales(const std::uint8_t* group, std::size_t dims);

}  // namespace sightline::kernels
