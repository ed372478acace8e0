// The functions that one instruction set provides. Plain data: this header is included by files
// compiled with other flags than the rest of the program, so it must hold no inline code.
#pragma once

#include <stddef.h>
#include <stdint.h>

namespace sightline::kernels {

/// Kernels of one instruction set. All integer results are exact, and all float results of the
/// int8 kernels are the same to the bit in every table: each is one int32 → float conversion, one
/// multiplication and one maximum.
struct KernelTable {
  /// "scalar", "avx2" or "avx512".
  const char* name;

  /// `out[i]` = dot product of `query` and the i-th of `count` rows of `dims` codes. Codes may be
  /// any int8. `dims` ≤ 65,536, so that no sum overflows.
  void (*dots_i8)(const int8_t* query, const int8_t* rows, size_t count, size_t dims, int32_t* out);

  /// Bytes that `pack_i8` writes for `count` query vectors; their alignment is 64.
  size_t (*packed_bytes_i8)(size_t count, size_t dims);
  /// Brings `count` row-major query vectors into the order in which `max_dots_i8` reads them.
  void (*pack_i8)(const int8_t* queries, size_t count, size_t dims, void* packed);
  /// `best[q]` = max(`best[q]`, max over rows d of float(dot(q, d)) × `scales[d]`). `best` has
  /// room for `count` rounded up to 16, is set by the caller, and beyond `count` is unspecified.
  /// `dims` ≤ 4,096.
  void (*max_dots_i8)(const void* packed, size_t count, const int8_t* rows, const float* scales,
                      size_t row_count, size_t dims, float* best);

  /// Dot product of floats; the order of summation differs between tables.
  float (*dot_f32)(const float* a, const float* b, size_t dims);
};

/// The reference, built everywhere.
extern const KernelTable kScalarKernels;
#if defined(__x86_64__)
/// Needs AVX2 and FMA.
extern const KernelTable kAvx2Kernels;
/// Needs AVX-512 F, BW, VL and VNNI.
extern const KernelTable kAvx512Kernels;
#endif

}  // namespace sightline::kernels
