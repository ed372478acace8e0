#include "kernels/vector_group.h"

#include <cstring>

namespace sightline::kernels {
namespace {

constexpr std::size_t kScalesBytes = kGroupLanes * sizeof(float);

constexpr std::size_t CodeOffset(std::size_t dim, std::size_t lane) {
  return dim / 4 * 64 + lane * 4 + dim % 4;
}

}  // namespace

void ClearGroup(std::size_t dims, std::uint8_t* group) {
  const std::size_t codes_bytes = GroupBytes(dims) - kScalesBytes;
  std::memset(group, kCodeBias, codes_bytes);
  std::memset(group + codes_bytes, 0, kScalesBytes);
}

void StoreVector(std::span<const std::int8_t> codes, float scale, std::size_t lane,
                 std::uint8_t* group) {
  for (std::size_t i = 0; i < codes.size(); ++i) {
    group[CodeOffset(i, lane)] = static_cast<std::uint8_t>(codes[i] + kCodeBias);
  }
  std::memcpy(group + GroupBytes(codes.size()) - kScalesBytes + lane * sizeof(float), &scale,
              sizeof(scale));
}

float LoadVector(const std::uint8_t* group, std::size_t lane, std::span<std::int8_t> codes) {
  for (std::size_t i = 0; i < codes.size(); ++i) {
    codes[i] = static_cast<std::int8_t>(group[CodeOffset(i, lane)] - kCodeBias);
  }
  return GroupScales(group, codes.size())[lane];
}

std::span<const float, kGroupLanes> GroupScales(const std::uint8_t* group, std::size_t dims) {
  const std::uint8_t* scales = group + GroupBytes(dims) - kScalesBytes;
  return std::span<const float, kGroupLanes>(reinterpret_cast<const float*>(scales), kGroupLanes);
}

}  // namespace sightline::kernels
