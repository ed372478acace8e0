// AVX-512 with VPOPCNTDQ: 16 query codes a register, 32 bits of each, of which 16 or 32 are
// transposed once for all codes; 32 bits of a code are broadcast and compared with them.
#include <immintrin.h>
#include <string.h>

#include "kernels/hamming.h"

namespace sightline::kernels {
namespace {

constexpr size_t kLanes = 16;
constexpr size_t kPanelRows = 32;
constexpr size_t kWordBytes = 4;

// Query codes, [word][row]; zeros after the last byte.
struct alignas(64) Panel {
  uint32_t at[kHammingPanelBytes / kWordBytes][kPanelRows];
};

size_t Min(size_t a, size_t b) { return a < b ? a : b; }

uint32_t Word(const uint8_t* at) {
  uint32_t word;
  memcpy(&word, at, sizeof(word));
  return word;
}

uint32_t LastWord(const uint8_t* at, size_t bytes) {
  uint32_t word = 0;
  memcpy(&word, at, bytes);
  return word;
}

// Rows beyond the last one repeat it.
void Pack(const uint8_t* query, size_t rows, size_t code_bytes, Panel& panel) {
  for (size_t row = 0; row < kPanelRows; ++row) {
    const uint8_t* code = query + Min(row, rows - 1) * code_bytes;
    for (size_t at = 0; at < code_bytes; at += kWordBytes) {
      panel.at[at / kWordBytes][row] = LastWord(code + at, Min(code_bytes - at, kWordBytes));
    }
  }
}

// Adds the bits in which a word of a code differs.
template <size_t kRegisters>
[[gnu::always_inline]] inline void AddWord(uint32_t word, const uint32_t* rows, __m512i* sums) {
  const __m512i bits = _mm512_set1_epi32(static_cast<int32_t>(word));
#pragma GCC unroll 2
  for (size_t k = 0; k < kRegisters; ++k) {
    const __m512i differ = _mm512_xor_si512(bits, _mm512_load_si512(rows + k * kLanes));
    sums[k] = _mm512_add_epi32(sums[k], _mm512_popcnt_epi32(differ));
  }
}

// At most kRegisters × 16 query codes with all codes.
template <size_t kRegisters>
void BestOfPanel(const uint8_t* query, size_t rows, const uint8_t* codes, size_t count,
                 size_t code_bytes, uint32_t* best) {
  Panel panel;
  Pack(query, rows, code_bytes, panel);
  const size_t whole = code_bytes / kWordBytes;
  const size_t rest = code_bytes % kWordBytes;
  alignas(64) uint32_t least[kPanelRows] = {};
  memcpy(least, best, rows * sizeof(*best));
  __m512i top[kRegisters];
#pragma GCC unroll 2
  for (size_t k = 0; k < kRegisters; ++k) top[k] = _mm512_load_si512(least + k * kLanes);
  for (size_t c = 0; c < count; ++c) {
    const uint8_t* code = codes + c * code_bytes;
    __m512i sums[kRegisters] = {};
    for (size_t w = 0; w < whole; ++w) {
      AddWord<kRegisters>(Word(code + w * kWordBytes), panel.at[w], sums);
    }
    if (rest != 0) {
      AddWord<kRegisters>(LastWord(code + whole * kWordBytes, rest), panel.at[whole], sums);
    }
#pragma GCC unroll 2
    for (size_t k = 0; k < kRegisters; ++k) top[k] = _mm512_min_epu32(top[k], sums[k]);
  }
#pragma GCC unroll 2
  for (size_t k = 0; k < kRegisters; ++k) _mm512_store_si512(least + k * kLanes, top[k]);
  memcpy(best, least, rows * sizeof(*best));
}

}  // namespace

void HammingBestAvx512(const uint8_t* query, size_t rows, const uint8_t* codes, size_t count,
                       size_t code_bytes, uint32_t* best) {
  if (code_bytes > kHammingPanelBytes) {
    HammingBestScalar(query, rows, codes, count, code_bytes, best);
    return;
  }
  for (size_t row = 0; row < rows; row += kPanelRows) {
    const size_t left = Min(rows - row, kPanelRows);
    const uint8_t* from = query + row * code_bytes;
    if (left > kLanes) {
      BestOfPanel<2>(from, left, codes, count, code_bytes, best + row);
    } else {
      BestOfPanel<1>(from, left, codes, count, code_bytes, best + row);
    }
  }
}

}  // namespace sightline::kernels
