// L2 normalisation, the only place where it happens.
#pragma once

#include <cmath>
#include <span>

namespace sightline::model {

/// Scales `vector` to length 1 (the sum of squares is taken in double). A vector that is zero or
/// not finite becomes all zeros, so that its dot product with anything is 0. Returns whether the
/// vector has length 1 now.
inline bool L2Normalize(std::span<float> vector) {
  double sum = 0;
  for (const float value : vector) sum += static_cast<double>(value) * static_cast<double>(value);
  const bool usable = std::isfinite(sum) && sum > 1e-24;
  const double scale = usable ? 1.0 / std::sqrt(sum) : 0.0;
  for (float& value : vector) {
    value = usable ? static_cast<float>(static_cast<double>(value) * scale) : 0.0F;
  }
  return usable;
}

}  // namespace sightline::model
