// Numbers in little-endian order at a place in memory.
#pragma once

#include <bit>
#include <cstddef>
#include <cstring>
#include <span>
#include <type_traits>

namespace sightline::format {

static_assert(std::endian::native == std::endian::little,
              "segment files are mapped and read in place; a big-endian machine needs swapping");

/// Copies a number out of `bytes` at `offset`; the caller has checked that it is inside.
template <typename T>
  requires std::is_arithmetic_v<T>
T LoadLittleEndian(std::span<const std::byte> bytes, std::size_t offset) {
  T value;
  std::memcpy(&value, bytes.data() + offset, sizeof(T));
  return value;
}

/// Copies `value` into `bytes` at `offset`; the caller has checked that it fits.
template <typename T>
  requires std::is_arithmetic_v<T>
void StoreLittleEndian(std::span<std::byte> bytes, std::size_t offset, T value) {
  std::memcpy(bytes.data() + offset, &value, sizeof(T));
}

}  // namespace sightline::format
