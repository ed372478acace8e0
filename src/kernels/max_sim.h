// MaxSim over int8 codes: a query prepared once, then scored against many units.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "kernels/kernel_table.h"

namespace sightline::kernels {

/// Rounds `vector` to int8 codes with one scale: value ≈ code × scale, scale = max|value| / 127,
/// ties to even. Returns the scale; 0 for a zero vector. Values must be finite.
float QuantizeInt8(std::span<const float> vector, int8_t* codes);

/// A query of one or more vectors as int8 with a scale a vector, laid out for `table`. Immutable
/// after construction, so that threads may share it.
class Int8Query {
 public:
  /// `vectors` is row-major [m, dims], m ≥ 1, 1 ≤ dims ≤ 4,096, finite.
  Int8Query(std::span<const float> vectors, std::size_t dims, const KernelTable& table);

  /// Query vectors.
  std::size_t size() const { return scales_.size(); }
  /// Numbers a vector.
  std::size_t dims() const { return dims_; }

  /// MaxSim (Khattab & Zaharia 2020, eq. 3): the sum over query vectors, in their order, of the
  /// largest dot product with the `scales.size()` ≥ 1 rows of `codes`. The same to the bit for
  /// every table. Thread-safe.
  float MaxSim(const std::int8_t* codes, std::span<const float> scales) const;

  /// For a query of one vector: its dot product with each row. Equals `MaxSim` of each row alone.
  void Dots(const std::int8_t* codes, std::span<const float> scales, std::span<float> out) const;

 private:
  const KernelTable& table_;
  std::size_t dims_;
  std::vector<float> scales_;
  std::vector<std::int8_t> codes_;         // Row-major, for short queries.
  std::vector<std::byte> packed_storage_;  // Aligned inside; see packed_.
  const void* packed_ = nullptr;
};

}  // namespace sightline::kernels
