#include <string.h>

#include "kernels/hamming.h"

namespace sightline::kernels {
namespace {

// Bits in which up to eight bytes differ.
uint32_t Difference(const uint8_t* a, const uint8_t* b, size_t bytes) {
  uint64_t x = 0;
  uint64_t y = 0;
  memcpy(&x, a, bytes);
  memcpy(&y, b, bytes);
  return static_cast<uint32_t>(__builtin_popcountll(x ^ y));
}

uint32_t Distance(const uint8_t* a, const uint8_t* b, size_t bytes) {
  uint32_t distance = 0;
  size_t at = 0;
  for (; at + 8 <= bytes; at += 8) distance += Difference(a + at, b + at, 8);
  return at < bytes ? distance + Difference(a + at, b + at, bytes - at) : distance;
}

}  // namespace

void HammingBestScalar(const uint8_t* query, size_t rows, const uint8_t* codes, size_t count,
                       size_t code_bytes, uint32_t* best) {
  for (size_t c = 0; c < count; ++c) {
    for (size_t row = 0; row < rows; ++row) {
      const uint32_t distance =
          Distance(query + row * code_bytes, codes + c * code_bytes, code_bytes);
      if (distance < best[row]) best[row] = distance;
    }
  }
}

}  // namespace sightline::kernels
