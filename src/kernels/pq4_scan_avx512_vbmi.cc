// AVX-512 with VBMI and VNNI: vpermb looks up in the tables of four sub-vectors at once, and
// vpdpbusd adds the four entries of a vector to its 32-bit sum. The codes of four sub-vectors of a
// vector stand beside each other for that, as numbers 0 … 63.
#include <immintrin.h>

#include "kernels/pq4_scan.h"

namespace sightline::kernels {
namespace {

constexpr size_t kStep = 4;      // Sub-vectors of a register.
constexpr size_t kTileRows = 4;  // Query vectors at a time: 8 sums, enough to hide the latency.

// Where the codes of a group are looked up: those of vectors 0 … 15 and those of 16 … 31.
struct Places {
  alignas(64) uint8_t low[kPq4MaxSubVectors * 16];
  alignas(64) uint8_t high[kPq4MaxSubVectors * 16];
};

// From four rows of 16 bytes to 16 rows of four.
__m512i Transposition() {
  alignas(64) uint8_t from[64];
  for (size_t i = 0; i < 64; ++i) from[i] = static_cast<uint8_t>(i % 4 * 16 + i / 4);
  return _mm512_load_si512(from);
}

void Arrange(const uint8_t* group, size_t sub_vectors, Places& places) {
  const __m512i transposition = Transposition();
  const __m512i low_half = _mm512_set1_epi8(0xF);
  const __m512i table = _mm512_set1_epi32(0x30201000);  // Of the four, a byte each.
  for (size_t at = 0; at < sub_vectors * 16; at += 64) {
    const __m512i codes = _mm512_permutexvar_epi8(transposition, _mm512_loadu_si512(group + at));
    const __m512i high = _mm512_and_si512(_mm512_srli_epi16(codes, 4), low_half);
    _mm512_store_si512(places.low + at, _mm512_or_si512(_mm512_and_si512(codes, low_half), table));
    _mm512_store_si512(places.high + at, _mm512_or_si512(high, table));
  }
}

// Written out: around its intrinsic g++ 12 copies every accumulator.
void AddFours(__m512i entries, __m512i ones, __m512i& sums) {
  asm("vpdpbusd %2, %1, %0" : "+v"(sums) : "v"(entries), "v"(ones));
}

void StoreMax(__m512i sums, uint16_t* best) {
  auto* at = reinterpret_cast<__m256i*>(best);
  _mm256_storeu_si256(at, _mm256_max_epu16(_mm256_loadu_si256(at), _mm512_cvtepi32_epi16(sums)));
}

template <size_t kRows>
void MaxRows(const uint8_t* entries, size_t sub_vectors, const Places& places, uint16_t* best) {
  const __m512i ones = _mm512_set1_epi8(1);
  __m512i low[kRows];
  __m512i high[kRows];
#pragma GCC unroll 4
  for (size_t row = 0; row < kRows; ++row) low[row] = high[row] = _mm512_setzero_si512();
  for (size_t s = 0; s < sub_vectors; s += kStep) {
    const __m512i low_places = _mm512_load_si512(places.low + s * 16);
    const __m512i high_places = _mm512_load_si512(places.high + s * 16);
#pragma GCC unroll 4
    for (size_t row = 0; row < kRows; ++row) {
      const __m512i table = _mm512_loadu_si512(entries + (row * sub_vectors + s) * 16);
      AddFours(_mm512_permutexvar_epi8(low_places, table), ones, low[row]);
      AddFours(_mm512_permutexvar_epi8(high_places, table), ones, high[row]);
    }
  }
#pragma GCC unroll 4
  for (size_t row = 0; row < kRows; ++row) {
    StoreMax(low[row], best + row * kPq4Lanes);
    StoreMax(high[row], best + row * kPq4Lanes + 16);
  }
}

}  // namespace

void Pq4MaxAvx512Vbmi(const Pq4Tables* tables, const uint8_t* groups, size_t group_count,
                      uint16_t* best) {
  Places places;
  const size_t row_bytes = tables->sub_vectors * 16;
  for (size_t g = 0; g < group_count; ++g) {
    Arrange(groups + g * row_bytes, tables->sub_vectors, places);
    size_t row = 0;
    for (; row + kTileRows <= tables->rows; row += kTileRows) {
      MaxRows<kTileRows>(tables->entries + row * row_bytes, tables->sub_vectors, places,
                         best + row * kPq4Lanes);
    }
    for (; row < tables->rows; ++row) {
      MaxRows<1>(tables->entries + row * row_bytes, tables->sub_vectors, places,
                 best + row * kPq4Lanes);
    }
  }
}

}  // namespace sightline::kernels
