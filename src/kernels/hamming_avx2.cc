// AVX2: 8 query codes a register, 32 bits of each, of which 8 or 32 are transposed once for all
// codes; 32 bits of a code are broadcast and compared with them. vpshufb counts the bits of half
// bytes (Muła, Kurz, Lemire 2016); the halves of the query's bytes are told apart beforehand.
#include <immintrin.h>
#include <string.h>

#include "kernels/hamming.h"

namespace sightline::kernels {
namespace {

constexpr size_t kLanes = 8;
constexpr size_t kPanelRows = 32;
constexpr size_t kWordBytes = 4;
// A byte takes the bits of that many words and of the last one, eight each.
constexpr size_t kByteWords = 30;
constexpr uint32_t kLowHalves = 0x0F0F0F0F;

// Half bytes of query codes, [word][row]; zeros after the last byte.
struct alignas(64) Panel {
  uint32_t low[kHammingPanelBytes / kWordBytes][kPanelRows];
  uint32_t high[kHammingPanelBytes / kWordBytes][kPanelRows];
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

__m256i Load(const uint32_t* at) { return _mm256_load_si256(reinterpret_cast<const __m256i*>(at)); }

// Rows beyond the last one repeat it.
void Pack(const uint8_t* query, size_t rows, size_t code_bytes, Panel& panel) {
  for (size_t row = 0; row < kPanelRows; ++row) {
    const uint8_t* code = query + Min(row, rows - 1) * code_bytes;
    for (size_t at = 0; at < code_bytes; at += kWordBytes) {
      const uint32_t word = LastWord(code + at, Min(code_bytes - at, kWordBytes));
      panel.low[at / kWordBytes][row] = word & kLowHalves;
      panel.high[at / kWordBytes][row] = word >> 4U & kLowHalves;
    }
  }
}

// Adds to each byte the bits in which a byte of a word differs.
template <size_t kRegisters>
[[gnu::always_inline]] inline void AddWord(uint32_t word, const uint32_t* low, const uint32_t* high,
                                           __m256i* bytes) {
  const __m256i counts =
      _mm256_broadcastsi128_si256(_mm_setr_epi8(0, 1, 1, 2, 1, 2, 2, 3, 1, 2, 2, 3, 2, 3, 3, 4));
  const __m256i low_half = _mm256_set1_epi8(0xF);
  const __m256i bits = _mm256_set1_epi32(static_cast<int32_t>(word));
  const __m256i low_bits = _mm256_and_si256(bits, low_half);
  const __m256i high_bits = _mm256_and_si256(_mm256_srli_epi32(bits, 4), low_half);
#pragma GCC unroll 4
  for (size_t k = 0; k < kRegisters; ++k) {
    const __m256i low_differ = _mm256_xor_si256(low_bits, Load(low + k * kLanes));
    const __m256i high_differ = _mm256_xor_si256(high_bits, Load(high + k * kLanes));
    bytes[k] = _mm256_add_epi8(bytes[k], _mm256_shuffle_epi8(counts, low_differ));
    bytes[k] = _mm256_add_epi8(bytes[k], _mm256_shuffle_epi8(counts, high_differ));
  }
}

__m256i AddFours(__m256i sums, __m256i bytes) {
  const __m256i pairs = _mm256_maddubs_epi16(bytes, _mm256_set1_epi8(1));
  return _mm256_add_epi32(sums, _mm256_madd_epi16(pairs, _mm256_set1_epi16(1)));
}

// Distances of a code.
template <size_t kRegisters>
[[gnu::always_inline]] inline void Distances(const uint8_t* code, size_t code_bytes,
                                             const Panel& panel, __m256i* sums) {
  const size_t whole = code_bytes / kWordBytes;
  const size_t rest = code_bytes % kWordBytes;
#pragma GCC unroll 4
  for (size_t k = 0; k < kRegisters; ++k) sums[k] = _mm256_setzero_si256();
  size_t w = 0;
  do {
    __m256i bytes[kRegisters];
#pragma GCC unroll 4
    for (size_t k = 0; k < kRegisters; ++k) bytes[k] = _mm256_setzero_si256();
    for (const size_t end = Min(w + kByteWords, whole); w < end; ++w) {
      AddWord<kRegisters>(Word(code + w * kWordBytes), panel.low[w], panel.high[w], bytes);
    }
    if (w == whole && rest != 0) {
      AddWord<kRegisters>(LastWord(code + w * kWordBytes, rest), panel.low[w], panel.high[w],
                          bytes);
    }
#pragma GCC unroll 4
    for (size_t k = 0; k < kRegisters; ++k) sums[k] = AddFours(sums[k], bytes[k]);
  } while (w < whole);
}

// At most kRegisters × 8 query codes with all codes.
template <size_t kRegisters>
void BestOfPanel(const uint8_t* query, size_t rows, const uint8_t* codes, size_t count,
                 size_t code_bytes, uint32_t* best) {
  Panel panel;
  Pack(query, rows, code_bytes, panel);
  alignas(64) uint32_t least[kPanelRows] = {};
  memcpy(least, best, rows * sizeof(*best));
  __m256i top[kRegisters];
#pragma GCC unroll 4
  for (size_t k = 0; k < kRegisters; ++k) top[k] = Load(least + k * kLanes);
  for (size_t c = 0; c < count; ++c) {
    __m256i sums[kRegisters];
    Distances<kRegisters>(codes + c * code_bytes, code_bytes, panel, sums);
#pragma GCC unroll 4
    for (size_t k = 0; k < kRegisters; ++k) top[k] = _mm256_min_epu32(top[k], sums[k]);
  }
#pragma GCC unroll 4
  for (size_t k = 0; k < kRegisters; ++k)
    _mm256_store_si256(reinterpret_cast<__m256i*>(least + k * kLanes), top[k]);
  memcpy(best, least, rows * sizeof(*best));
}

}  // namespace

void HammingBestAvx2(const uint8_t* query, size_t rows, const uint8_t* codes, size_t count,
                     size_t code_bytes, uint32_t* best) {
  if (code_bytes > kHammingPanelBytes) {
    HammingBestScalar(query, rows, codes, count, code_bytes, best);
    return;
  }
  for (size_t row = 0; row < rows; row += kPanelRows) {
    const size_t left = Min(rows - row, kPanelRows);
    const uint8_t* from = query + row * code_bytes;
    if (left > kLanes) {
      BestOfPanel<4>(from, left, codes, count, code_bytes, best + row);
    } else {
      BestOfPanel<1>(from, left, codes, count, code_bytes, best + row);
    }
  }
}

}  // namespace sightline::kernels
