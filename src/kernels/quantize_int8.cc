#include "kernels/quantize_int8.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace sightline::kernels {
namespace {

constexpr float kLargestCode = 127;

/// Returns `scale`, or 0 when it is no normal number: dividing by it would overflow.
float Round(std::span<const float> vector, float scale, std::int8_t* codes) {
  if (!(scale >= std::numeric_limits<float>::min())) {
    std::fill_n(codes, vector.size(), std::int8_t{0});
    return 0;
  }
  for (std::size_t i = 0; i < vector.size(); ++i) {
    const float code = std::nearbyint(vector[i] / scale);
    codes[i] = static_cast<std::int8_t>(std::clamp(code, -kLargestCode, kLargestCode));
  }
  return scale;
}

float LargestMagnitude(std::span<const float> vector) {
  float largest = 0;
  for (const float value : vector) largest = std::max(largest, std::abs(value));
  return largest;
}

}  // namespace

float QuantizeDocument(std::span<const float> vector, std::int8_t* codes) {
  return Round(vector, LargestMagnitude(vector) / kLargestCode, codes);
}

float QuantizeQuery(std::span<const float> vector, std::int8_t* codes) {
  float scale = LargestMagnitude(vector) / kLargestCode;
  for (std::size_t i = 0; i + 1 < vector.size(); i += 2) {
    if ((vector[i] > 0) != (vector[i + 1] > 0)) continue;
    // Up to 127 together before rounding, which adds half a code to each.
    scale = std::max(scale, std::abs(vector[i] / kLargestCode + vector[i + 1] / kLargestCode));
  }
  return Round(vector, scale, codes);
}

}  // namespace sightline::kernels
