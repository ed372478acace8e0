// NEON: tbl looks the entries of 16 vectors up at once; sums of four fit a byte.
#include <arm_neon.h>

#include "kernels/pq4_scan.h"

namespace sightline::kernels {
namespace {

// 16-bit sums of 16 vectors.
struct Sums {
  uint16x8_t first;
  uint16x8_t second;
};

void StoreMax(uint16x8_t sums, uint16_t* best) {
  vst1q_u16(best, vmaxq_u16(vld1q_u16(best), sums));
}

void MaxRow(const uint8_t* entries, size_t sub_vectors, const uint8_t* group, uint16_t* best) {
  const uint8x16_t low_half = vdupq_n_u8(0xF);
  const uint16x8_t zero = vdupq_n_u16(0);
  Sums low = {zero, zero};
  Sums high = {zero, zero};
  for (size_t s = 0; s < sub_vectors; s += 4) {
    uint8x16_t low_bytes = vdupq_n_u8(0);
    uint8x16_t high_bytes = vdupq_n_u8(0);
    for (size_t i = s; i < s + 4; ++i) {
      const uint8x16_t table = vld1q_u8(entries + i * 16);
      const uint8x16_t both = vld1q_u8(group + i * 16);
      low_bytes = vaddq_u8(low_bytes, vqtbl1q_u8(table, vandq_u8(both, low_half)));
      high_bytes = vaddq_u8(high_bytes, vqtbl1q_u8(table, vshrq_n_u8(both, 4)));
    }
    low.first = vaddw_u8(low.first, vget_low_u8(low_bytes));
    low.second = vaddw_high_u8(low.second, low_bytes);
    high.first = vaddw_u8(high.first, vget_low_u8(high_bytes));
    high.second = vaddw_high_u8(high.second, high_bytes);
  }
  StoreMax(low.first, best);
  StoreMax(low.second, best + 8);
  StoreMax(high.first, best + 16);
  StoreMax(high.second, best + 24);
}

}  // namespace

void Pq4MaxNeon(const Pq4Tables* tables, const uint8_t* groups, size_t group_count,
                uint16_t* best) {
  const size_t row_bytes = tables->sub_vectors * 16;
  for (size_t g = 0; g < group_count; ++g) {
    for (size_t row = 0; row < tables->rows; ++row) {
      MaxRow(tables->entries + row * row_bytes, tables->sub_vectors, groups + g * row_bytes,
             best + row * kPq4Lanes);
    }
  }
}

void Pq4BestNeon(const uint16_t* lanes, size_t rows, uint16_t* best) {
  for (size_t row = 0; row < rows; ++row) {
    const uint16_t* at = lanes + row * kPq4Lanes;
    const uint16x8_t low = vmaxq_u16(vld1q_u16(at), vld1q_u16(at + 8));
    const uint16x8_t high = vmaxq_u16(vld1q_u16(at + 16), vld1q_u16(at + 24));
    const uint16_t largest = vmaxvq_u16(vmaxq_u16(low, high));
    if (largest > best[row]) best[row] = largest;
  }
}

}  // namespace sightline::kernels
