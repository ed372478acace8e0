// Scanning 4-bit product quantisation codes by byte shuffles ("fast-scan", André, Kermarrec,
// Le Scouarnec 2015). Plain data: included by files compiled with other flags than the rest.
#pragma once

#include <stddef.h>
#include <stdint.h>

namespace sightline::kernels {

/// Vectors of a group of codes. A group has `sub_vectors` (padded) × 16 bytes: byte i of sub-vector
/// s is the code of vector i in its low half and of vector 16 + i in its high half.
inline constexpr size_t kPq4Lanes = 32;
/// Entries of a table are at most this, so that four of them fit a byte.
inline constexpr uint8_t kPq4MaxEntry = 63;
/// So that sums fit 16 bits.
inline constexpr size_t kPq4MaxSubVectors = 1024;

/// What query vectors look up: `entries[(row * sub_vectors + s) * 16 + code]` ≤ kPq4MaxEntry.
struct Pq4Tables {
  const uint8_t* entries;
  /// Query vectors.
  size_t rows;
  /// Multiple of 4, at most kPq4MaxSubVectors; what is added to reach that has entries of 0.
  size_t sub_vectors;
};

/// `best[row * 32 + vector]` = max(`best[row * 32 + vector]`, Σ over sub-vectors of the entries of
/// vector `vector` of any of `group_count` groups). Exact; the same for every instruction set.
using Pq4MaxFunction = void (*)(const Pq4Tables* tables, const uint8_t* groups, size_t group_count,
                                uint16_t* best);

/// `best[row]` = max(`best[row]`, the 32 sums of the row in `lanes`), which `Pq4MaxFunction` wrote.
using Pq4BestFunction = void (*)(const uint16_t* lanes, size_t rows, uint16_t* best);

/// The reference.
void Pq4MaxScalar(const Pq4Tables* tables, const uint8_t* groups, size_t group_count,
                  uint16_t* best);
/// The reference.
void Pq4BestScalar(const uint16_t* lanes, size_t rows, uint16_t* best);
#if defined(__x86_64__)
/// Needs AVX2.
void Pq4BestAvx2(const uint16_t* lanes, size_t rows, uint16_t* best);
/// Needs AVX2.
void Pq4MaxAvx2(const Pq4Tables* tables, const uint8_t* groups, size_t group_count, uint16_t* best);
/// Needs AVX-512 F, BW and VL.
void Pq4MaxAvx512(const Pq4Tables* tables, const uint8_t* groups, size_t group_count,
                  uint16_t* best);
/// Needs AVX-512 F, BW, VL, VBMI and VNNI.
void Pq4MaxAvx512Vbmi(const Pq4Tables* tables, const uint8_t* groups, size_t group_count,
                      uint16_t* best);
#elif defined(__aarch64__)
/// Needs what every 64-bit Arm processor has.
void Pq4BestNeon(const uint16_t* lanes, size_t rows, uint16_t* best);
/// Needs what every 64-bit Arm processor has.
void Pq4MaxNeon(const Pq4Tables* tables, const uint8_t* groups, size_t group_count, uint16_t* best);
#endif

}  // namespace sightline::kernels
