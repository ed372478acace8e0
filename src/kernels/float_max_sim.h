// Exact MaxSim of floats: what quantised scores are measured against. Plain data: included by files
// compiled with other flags than the rest.
//
// A kernel holds one query vector a lane and broadcasts the documents' numbers, which it reads as
// they lie: nothing is summed or compared across lanes.
#pragma once

#include <stddef.h>
#include <stdint.h>

namespace sightline::kernels {

/// `best[row]` = max(`best[row]`, dot products of row `row` of `query` with all `count` of
/// `vectors`). Both are row-major, `dims` ≥ 1 numbers each, all finite. The order of summation
/// differs between instruction sets. Query vectors are laid out anew in every call: cheap beside a
/// hundred vectors, not beside a few.
using MaxDotsF32Function = void (*)(const float* query, size_t rows, const float* vectors,
                                    size_t count, size_t dims, float* best);

/// The same with vectors of IEEE 754 binary16; products and sums are float.
using MaxDotsF16Function = void (*)(const float* query, size_t rows, const uint16_t* vectors,
                                    size_t count, size_t dims, float* best);

/// The reference.
void MaxDotsF32Scalar(const float* query, size_t rows, const float* vectors, size_t count,
                      size_t dims, float* best);
/// The reference.
void MaxDotsF16Scalar(const float* query, size_t rows, const uint16_t* vectors, size_t count,
                      size_t dims, float* best);
#if defined(__x86_64__)
/// Needs AVX2 and FMA.
void MaxDotsF32Avx2(const float* query, size_t rows, const float* vectors, size_t count,
                    size_t dims, float* best);
/// Needs AVX2, FMA and F16C.
void MaxDotsF16Avx2(const float* query, size_t rows, const uint16_t* vectors, size_t count,
                    size_t dims, float* best);
/// Needs AVX-512 F, BW and VL.
void MaxDotsF32Avx512(const float* query, size_t rows, const float* vectors, size_t count,
                      size_t dims, float* best);
/// Needs AVX-512 F, BW and VL.
void MaxDotsF16Avx512(const float* query, size_t rows, const uint16_t* vectors, size_t count,
                      size_t dims, float* best);
#elif defined(__aarch64__)
/// Needs what every 64-bit Arm processor has.
void MaxDotsF32Neon(const float* query, size_t rows, const float* vectors, size_t count,
                    size_t dims, float* best);
/// Needs what every 64-bit Arm processor has.
void MaxDotsF16Neon(const float* query, size_t rows, const uint16_t* vectors, size_t count,
                    size_t dims, float* best);
#endif

}  // namespace sightline::kernels
