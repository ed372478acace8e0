// NEON: 4 query codes a register, 32 bits of each, of which 4 or 16 are transposed once for all
// codes; 32 bits of a code are broadcast and compared with them. cnt counts the bits of bytes.
#include <arm_neon.h>
#include <string.h>

#include "kernels/hamming.h"

namespace sightline::kernels {
namespace {

constexpr size_t kLanes = 4;
constexpr size_t kPanelRows = 16;
constexpr size_t kWordBytes = 4;
// A byte takes the bits of that many words and of the last one, eight each.
constexpr size_t kByteWords = 30;

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

// Adds to each byte the bits in which a byte of a word differs.
template <size_t kRegisters>
[[gnu::always_inline]] inline void AddWord(uint32_t word, const uint32_t* rows, uint8x16_t* bytes) {
  const uint32x4_t bits = vdupq_n_u32(word);
#pragma GCC unroll 4
  for (size_t k = 0; k < kRegisters; ++k) {
    const uint32x4_t differ = veorq_u32(bits, vld1q_u32(rows + k * kLanes));
    bytes[k] = vaddq_u8(bytes[k], vcntq_u8(vreinterpretq_u8_u32(differ)));
  }
}

// Distances of a code.
template <size_t kRegisters>
[[gnu::always_inline]] inline void Distances(const uint8_t* code, size_t code_bytes,
                                             const Panel& panel, uint32x4_t* sums) {
  const size_t whole = code_bytes / kWordBytes;
  const size_t rest = code_bytes % kWordBytes;
#pragma GCC unroll 4
  for (size_t k = 0; k < kRegisters; ++k) sums[k] = vdupq_n_u32(0);
  size_t w = 0;
  do {
    uint8x16_t bytes[kRegisters];
#pragma GCC unroll 4
    for (size_t k = 0; k < kRegisters; ++k) bytes[k] = vdupq_n_u8(0);
    for (const size_t end = Min(w + kByteWords, whole); w < end; ++w) {
      AddWord<kRegisters>(Word(code + w * kWordBytes), panel.at[w], bytes);
    }
    if (w == whole && rest != 0) {
      AddWord<kRegisters>(LastWord(code + w * kWordBytes, rest), panel.at[w], bytes);
    }
#pragma GCC unroll 4
    for (size_t k = 0; k < kRegisters; ++k) sums[k] = vpadalq_u16(sums[k], vpaddlq_u8(bytes[k]));
  } while (w < whole);
}

// At most kRegisters × 4 query codes with all codes.
template <size_t kRegisters>
void BestOfPanel(const uint8_t* query, size_t rows, const uint8_t* codes, size_t count,
                 size_t code_bytes, uint32_t* best) {
  Panel panel;
  Pack(query, rows, code_bytes, panel);
  alignas(64) uint32_t least[kPanelRows] = {};
  memcpy(least, best, rows * sizeof(*best));
  uint32x4_t top[kRegisters];
#pragma GCC unroll 4
  for (size_t k = 0; k < kRegisters; ++k) top[k] = vld1q_u32(least + k * kLanes);
  for (size_t c = 0; c < count; ++c) {
    uint32x4_t sums[kRegisters];
    Distances<kRegisters>(codes + c * code_bytes, code_bytes, panel, sums);
#pragma GCC unroll 4
    for (size_t k = 0; k < kRegisters; ++k) top[k] = vminq_u32(top[k], sums[k]);
  }
#pragma GCC unroll 4
  for (size_t k = 0; k < kRegisters; ++k) vst1q_u32(least + k * kLanes, top[k]);
  memcpy(best, least, rows * sizeof(*best));
}

}  // namespace

void HammingBestNeon(const uint8_t* query, size_t rows, const uint8_t* codes, size_t count,
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
