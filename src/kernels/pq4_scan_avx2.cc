// AVX2: a register holds two sub-vectors of 16 vectors; vpshufb looks their 32 entries up at once.
// Sums of four entries fit a byte; then they go over into 16-bit sums.
#include <immintrin.h>

#include "kernels/pq4_scan.h"

namespace sightline::kernels {
namespace {

constexpr size_t kStep = 2;  // Sub-vectors in a register.

// The codes of a group, a byte each: those of vectors 0 … 15 and those of 16 … 31.
struct Codes {
  alignas(64) uint8_t low[kPq4MaxSubVectors * 16];
  alignas(64) uint8_t high[kPq4MaxSubVectors * 16];
};

void Split(const uint8_t* group, size_t sub_vectors, Codes& codes) {
  const __m256i low_half = _mm256_set1_epi8(0xF);
  for (size_t at = 0; at < sub_vectors * 16; at += 32) {
    const __m256i both = _mm256_loadu_si256(reinterpret_cast<const __m256i*>(group + at));
    const __m256i high = _mm256_and_si256(_mm256_srli_epi16(both, 4), low_half);
    _mm256_store_si256(reinterpret_cast<__m256i*>(codes.low + at),
                       _mm256_and_si256(both, low_half));
    _mm256_store_si256(reinterpret_cast<__m256i*>(codes.high + at), high);
  }
}

__m256i LookUp(__m256i entries, const uint8_t* codes) {
  return _mm256_shuffle_epi8(entries, _mm256_load_si256(reinterpret_cast<const __m256i*>(codes)));
}

// 16-bit sums of the even and of the odd ones of 16 vectors, each sub-vector parity in its half.
struct Sums {
  __m256i even;
  __m256i odd;
};

void Widen(__m256i bytes, Sums& sums) {
  sums.even = _mm256_add_epi16(sums.even, _mm256_and_si256(bytes, _mm256_set1_epi16(0xFF)));
  sums.odd = _mm256_add_epi16(sums.odd, _mm256_srli_epi16(bytes, 8));
}

__m128i AddHalves(__m256i sums) {
  return _mm_add_epi16(_mm256_castsi256_si128(sums), _mm256_extracti128_si256(sums, 1));
}

void StoreMax(__m128i sums, uint16_t* best) {
  auto* at = reinterpret_cast<__m128i*>(best);
  _mm_storeu_si128(at, _mm_max_epu16(_mm_loadu_si128(at), sums));
}

void StoreSums(const Sums& sums, uint16_t* best) {
  const __m128i even = AddHalves(sums.even);
  const __m128i odd = AddHalves(sums.odd);
  StoreMax(_mm_unpacklo_epi16(even, odd), best);
  StoreMax(_mm_unpackhi_epi16(even, odd), best + 8);
}

void MaxRow(const uint8_t* entries, size_t sub_vectors, const Codes& codes, uint16_t* best) {
  const __m256i zero = _mm256_setzero_si256();
  Sums low = {zero, zero};
  Sums high = {zero, zero};
  size_t s = 0;
  while (s < sub_vectors) {
    __m256i low_bytes = zero;
    __m256i high_bytes = zero;
    // Eight sub-vectors are four in each half of a register; of the last ones there may be four.
    const size_t end = s + 4 * kStep <= sub_vectors ? s + 4 * kStep : sub_vectors;
    for (; s < end; s += kStep) {
      const __m256i table = _mm256_loadu_si256(reinterpret_cast<const __m256i*>(entries + s * 16));
      low_bytes = _mm256_add_epi8(low_bytes, LookUp(table, codes.low + s * 16));
      high_bytes = _mm256_add_epi8(high_bytes, LookUp(table, codes.high + s * 16));
    }
    Widen(low_bytes, low);
    Widen(high_bytes, high);
  }
  StoreSums(low, best);
  StoreSums(high, best + 16);
}

}  // namespace

void Pq4MaxAvx2(const Pq4Tables* tables, const uint8_t* groups, size_t group_count,
                uint16_t* best) {
  Codes codes;
  const size_t row_bytes = tables->sub_vectors * 16;
  for (size_t g = 0; g < group_count; ++g) {
    Split(groups + g * row_bytes, tables->sub_vectors, codes);
    for (size_t row = 0; row < tables->rows; ++row) {
      MaxRow(tables->entries + row * row_bytes, tables->sub_vectors, codes, best + row * kPq4Lanes);
    }
  }
}

void Pq4BestAvx2(const uint16_t* lanes, size_t rows, uint16_t* best) {
  for (size_t row = 0; row < rows; ++row) {
    const auto* at = reinterpret_cast<const __m256i*>(lanes + row * kPq4Lanes);
    const __m256i top = _mm256_max_epu16(_mm256_loadu_si256(at), _mm256_loadu_si256(at + 1));
    const __m128i eight =
        _mm_max_epu16(_mm256_castsi256_si128(top), _mm256_extracti128_si256(top, 1));
    // The smallest of the complements is the complement of the largest.
    const __m128i least = _mm_minpos_epu16(_mm_xor_si128(eight, _mm_set1_epi16(-1)));
    const auto largest = static_cast<uint16_t>(~_mm_extract_epi16(least, 0));
    if (largest > best[row]) best[row] = largest;
  }
}

}  // namespace sightline::kernels
