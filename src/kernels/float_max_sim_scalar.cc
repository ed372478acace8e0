#include <string.h>

#include "kernels/float_max_sim.h"

namespace sightline::kernels {
namespace {

float Number(float value) { return value; }

// binary16 as float; for infinities and NaN as well.
float Number(uint16_t half) {
  const uint32_t sign = uint32_t{half & 0x8000U} << 16U;
  const uint32_t exponent = (half >> 10U) & 0x1FU;
  const uint32_t fraction = half & 0x3FFU;
  if (exponent == 0) {  // Zero or subnormal: fraction × 2^-24.
    const float value = static_cast<float>(fraction) * 0x1p-24F;
    return sign != 0 ? -value : value;
  }
  // The exponents' biases are 15 and 127.
  const uint32_t wide_exponent = exponent == 0x1FU ? 0xFFU : exponent + 127U - 15U;
  const uint32_t bits = sign | wide_exponent << 23U | fraction << 13U;
  float value;
  memcpy(&value, &bits, sizeof(value));
  return value;
}

template <typename Value>
void MaxDots(const float* query, size_t rows, const Value* vectors, size_t count, size_t dims,
             float* best) {
  for (size_t v = 0; v < count; ++v) {
    for (size_t row = 0; row < rows; ++row) {
      float sum = 0;
      for (size_t i = 0; i < dims; ++i)
        sum += query[row * dims + i] * Number(vectors[v * dims + i]);
      if (sum > best[row]) best[row] = sum;
    }
  }
}

}  // namespace

void MaxDotsF32Scalar(const float* query, size_t rows, const float* vectors, size_t count,
                      size_t dims, float* best) {
  MaxDots(query, rows, vectors, count, dims, best);
}

void MaxDotsF16Scalar(const float* query, size_t rows, const uint16_t* vectors, size_t count,
                      size_t dims, float* best) {
  MaxDots(query, rows, vectors, count, dims, best);
}

}  // namespace sightline::kernels
