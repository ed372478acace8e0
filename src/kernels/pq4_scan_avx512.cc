// AVX-512: as pq4_scan_avx2.cc with four sub-vectors of 16 vectors in a register.
#include <immintrin.h>

#include "kernels/pq4_scan.h"

namespace sightline::kernels {
namespace {

constexpr size_t kStep = 4;  // Sub-vectors in a register.

struct Codes {
  alignas(64) uint8_t low[kPq4MaxSubVectors * 16];
  alignas(64) uint8_t high[kPq4MaxSubVectors * 16];
};

void Split(const uint8_t* group, size_t sub_vectors, Codes& codes) {
  const __m512i low_half = _mm512_set1_epi8(0xF);
  for (size_t at = 0; at < sub_vectors * 16; at += 64) {
    const __m512i both = _mm512_loadu_si512(group + at);
    _mm512_store_si512(codes.low + at, _mm512_and_si512(both, low_half));
    _mm512_store_si512(codes.high + at, _mm512_and_si512(_mm512_srli_epi16(both, 4), low_half));
  }
}

__m512i LookUp(__m512i entries, const uint8_t* codes) {
  return _mm512_shuffle_epi8(entries, _mm512_load_si512(codes));
}

struct Sums {
  __m512i even;
  __m512i odd;
};

void Widen(__m512i bytes, Sums& sums) {
  sums.even = _mm512_add_epi16(sums.even, _mm512_and_si512(bytes, _mm512_set1_epi16(0xFF)));
  sums.odd = _mm512_add_epi16(sums.odd, _mm512_srli_epi16(bytes, 8));
}

__m128i AddQuarters(__m512i sums) {
  const __m256i halves =
      _mm256_add_epi16(_mm512_castsi512_si256(sums), _mm512_extracti64x4_epi64(sums, 1));
  return _mm_add_epi16(_mm256_castsi256_si128(halves), _mm256_extracti128_si256(halves, 1));
}

void StoreSums(const Sums& sums, uint16_t* best) {
  const __m128i even = AddQuarters(sums.even);
  const __m128i odd = AddQuarters(sums.odd);
  const __m256i inner = _mm256_inserti128_si256(
      _mm256_castsi128_si256(_mm_unpacklo_epi16(even, odd)), _mm_unpackhi_epi16(even, odd), 1);
  auto* at = reinterpret_cast<__m256i*>(best);
  _mm256_storeu_si256(at, _mm256_max_epu16(_mm256_loadu_si256(at), inner));
}

void MaxRow(const uint8_t* entries, size_t sub_vectors, const Codes& codes, uint16_t* best) {
  const __m512i zero = _mm512_setzero_si512();
  Sums low = {zero, zero};
  Sums high = {zero, zero};
  size_t s = 0;
  while (s < sub_vectors) {
    __m512i low_bytes = zero;
    __m512i high_bytes = zero;
    const size_t end = s + 4 * kStep <= sub_vectors ? s + 4 * kStep : sub_vectors;
    for (; s < end; s += kStep) {
      const __m512i table = _mm512_loadu_si512(entries + s * 16);
      low_bytes = _mm512_add_epi8(low_bytes, LookUp(table, codes.low + s * 16));
      high_bytes = _mm512_add_epi8(high_bytes, LookUp(table, codes.high + s * 16));
    }
    Widen(low_bytes, low);
    Widen(high_bytes, high);
  }
  StoreSums(low, best);
  StoreSums(high, best + 16);
}

}  // namespace

void Pq4MaxAvx512(const Pq4Tables* tables, const uint8_t* groups, size_t group_count,
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

}  // namespace sightline::kernels
