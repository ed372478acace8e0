// Vectors of floats as int8 codes with one scale: value ≈ code × scale, rounded, ties to even.
#pragma once

#include <cstdint>
#include <span>

namespace sightline::kernels {

/// Codes of -127 … 127, scale = max|value| / 127. `codes` has room for as many as `vector` has.
/// Returns the scale; 0 for a zero vector. Values must be finite.
float QuantizeDocument(std::span<const float> vector, std::int8_t* codes);

/// Like `QuantizeDocument`, but the scale is so large that two codes next to each other, at dims 2i
/// and 2i + 1, that have the same sign differ from 0 by 128 at most together: see QueryRows, and
/// docs/decisions/0011 for what that costs.
float QuantizeQuery(std::span<const float> vector, std::int8_t* codes);

}  // namespace sightline::kernels
