#include "kernels/pq4_scan.h"

namespace sightline::kernels {

void Pq4MaxScalar(const Pq4Tables* tables, const uint8_t* groups, size_t group_count,
                  uint16_t* best) {
  for (size_t g = 0; g < group_count; ++g) {
    const uint8_t* group = groups + g * tables->sub_vectors * 16;
    for (size_t row = 0; row < tables->rows; ++row) {
      const uint8_t* entries = tables->entries + row * tables->sub_vectors * 16;
      for (size_t vector = 0; vector < kPq4Lanes; ++vector) {
        uint32_t sum = 0;
        for (size_t s = 0; s < tables->sub_vectors; ++s) {
          const uint32_t byte = group[s * 16 + vector % 16];
          sum += entries[s * 16 + (vector < 16 ? byte & 0xFU : byte >> 4U)];
        }
        uint16_t& top = best[row * kPq4Lanes + vector];
        if (sum > top) top = static_cast<uint16_t>(sum);
      }
    }
  }
}

void Pq4BestScalar(const uint16_t* lanes, size_t rows, uint16_t* best) {
  for (size_t row = 0; row < rows; ++row) {
    for (size_t lane = 0; lane < kPq4Lanes; ++lane) {
      const uint16_t sum = lanes[row * kPq4Lanes + lane];
      if (sum > best[row]) best[row] = sum;
    }
  }
}

}  // namespace sightline::kernels
