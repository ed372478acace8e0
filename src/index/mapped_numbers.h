// Numbers where they lie in a mapped file.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

namespace sightline::index {

/// `count` numbers at `offset` of `file`; the format keeps them aligned, and the caller has checked
/// that they are inside. Valid as long as the mapping.
template <typename T>
std::span<const T> NumbersAt(std::span<const std::byte> file, std::uint64_t offset,
                             std::uint64_t count) {
  return {reinterpret_cast<const T*>(file.data() + offset), count};
}

}  // namespace sightline::index
