// The functions that one instruction set provides. Plain data: this header is included by files
// compiled with other flags than the rest of the program, so it must hold no inline code.
//
// Documents lie in groups of 16 vectors (vector_group.h). A kernel holds one document vector a
// lane: nothing is summed or compared across lanes inside the loops.
#pragma once

#include <stddef.h>
#include <stdint.h>

#include "kernels/float_max_sim.h"
#include "kernels/hamming.h"
#include "kernels/pq4_scan.h"

namespace sightline::kernels {

/// Query vectors as the kernels read them: `count` rows of `stride` bytes, and rows of zeros up to
/// a multiple of 16. `codes` starts at a multiple of 64; `stride` is one, zeros after the last dim.
/// Codes are -127 … 127, and two at dims 2i and 2i + 1 of the same sign differ from 0 by 128 at
/// most together: their products with unsigned bytes then fit an int16 (255 × 128).
struct QueryRows {
  const int8_t* codes;
  /// -128 × the sum of a row's codes, for every row: what the bias of the documents' codes adds to
  /// a dot product, to be taken off again.
  const int32_t* starts;
  size_t count;
  size_t stride;
};

/// Kernels of one instruction set. Results are the same to the bit in every table: an exact int32
/// sum, one conversion to float, one multiplication, one maximum. `dims` ≤ 4,096. Groups may
/// start at any multiple of 4 bytes; at multiples of 64 they are read fastest. Thread-safe.
struct KernelTable {
  /// "scalar", "avx2", "avx512", "avx512_vbmi", "amx", "neon" or "neon_dot".
  const char* name;

  /// `values[q * 16 + lane]` = float(dot(row q, vector `lane` of the group)) × its scale.
  void (*dots)(const QueryRows* query, const uint8_t* group, size_t dims, float* values);

  /// `best[q * 16 + lane]` = max(`best[q * 16 + lane]`, such values of all groups).
  void (*max_dots)(const QueryRows* query, const uint8_t* groups, size_t group_count, size_t dims,
                   float* best);

  /// As `max_dots`, and `best_vector[q * 16 + lane]` = group × 16 + lane of the value where it is
  /// greater than what `best` held; the first of equal ones counts. `group_count` < 2^28.
  void (*best_dots)(const QueryRows* query, const uint8_t* groups, size_t group_count, size_t dims,
                    float* best, uint32_t* best_vector);

  /// Dot product of floats; the order of summation differs between tables.
  float (*dot_f32)(const float* a, const float* b, size_t dims);

  /// Exact MaxSim of floats (float_max_sim.h).
  MaxDotsF32Function max_dots_f32;
  MaxDotsF16Function max_dots_f16;

  /// Scans codes of 4 bits (pq4_scan.h).
  Pq4MaxFunction pq4_max;
  /// What a scan found, by query vector.
  Pq4BestFunction pq4_best;

  /// Distances of binary codes (hamming.h).
  HammingBestFunction hamming_best;
};

/// The reference, built everywhere.
extern const KernelTable kScalarKernels;
#if defined(__x86_64__)
/// Needs AVX2, FMA and F16C.
extern const KernelTable kAvx2Kernels;
/// Needs AVX-512 F, BW, VL and VNNI.
extern const KernelTable kAvx512Kernels;
/// Needs AVX-512 VBMI and VPOPCNTDQ as well: all processors since Ice Lake and Zen 4 do.
extern const KernelTable kAvx512VbmiKernels;
/// Needs what kAvx512VbmiKernels needs, AMX int8, and the kernel's leave (amx_permission.h).
extern const KernelTable kAmxKernels;
#elif defined(__aarch64__)
/// Needs what every 64-bit Arm processor has.
extern const KernelTable kNeonKernels;
/// Needs the dot product instructions of Armv8.2.
extern const KernelTable kNeonDotKernels;
#endif

}  // namespace sightline::kernels
