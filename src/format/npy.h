// Arrays as NumPy writes them (`.npy`, NEP 1 versions 1.0 to 3.0): how vectors come from and go to
// other tools.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "base/result.h"

namespace sightline::format {

/// Kinds of numbers that are read. Others, and big-endian ones, are refused.
enum class NpyType { kFloat16, kFloat32, kInt32, kInt64 };

/// Where the numbers of an array lie in its file.
struct NpyHeader {
  NpyType type = NpyType::kFloat32;
  /// One to three dimensions, row-major.
  std::vector<std::uint64_t> shape;
  /// Bytes before the first number.
  std::size_t data_offset = 0;

  /// Numbers in all; what `ParseNpyHeader` returned does not overflow.
  std::uint64_t size() const;
};

/// Reads the header of a whole file. kInvalidArgument, naming what is wrong, when it is no `.npy`
/// file, of a version, type, order or number of dimensions that is not read, or shorter than its
/// shape says.
base::Result<NpyHeader> ParseNpyHeader(std::span<const std::byte> file);

/// `count` numbers from the `first`-th on of a `.npy` file of `kFloat16` or `kFloat32` as floats;
/// both lie within `header.size()`. kInvalidArgument for other types.
base::Result<std::vector<float>> ReadNpyFloats(std::span<const std::byte> file,
                                               const NpyHeader& header, std::uint64_t first,
                                               std::uint64_t count);

/// All numbers of a `.npy` file of `kInt32` or `kInt64`. kInvalidArgument for other types.
base::Result<std::vector<std::int64_t>> ReadNpyIntegers(std::span<const std::byte> file,
                                                        const NpyHeader& header);

}  // namespace sightline::format
