// Distances of binary codes. Plain data: included by files compiled with other flags than the rest.
//
// A kernel holds one query code a lane and broadcasts the documents' codes, which it reads as they
// lie: nothing is summed or compared across lanes.
#pragma once

#include <stddef.h>
#include <stdint.h>

namespace sightline::kernels {

/// Codes up to this length go through registers, longer ones through the reference.
inline constexpr size_t kHammingPanelBytes = 512;

/// `best[row]` = min(`best[row]`, number of bits in which row `row` of `query` differs from any of
/// the `count` codes). Both are row-major, `code_bytes` ≥ 1 bytes each, at any address. Exact; the
/// same for every instruction set. Query codes are laid out anew in every call: cheap beside a
/// hundred codes, not beside a few.
using HammingBestFunction = void (*)(const uint8_t* query, size_t rows, const uint8_t* codes,
                                     size_t count, size_t code_bytes, uint32_t* best);

/// The reference.
void HammingBestScalar(const uint8_t* query, size_t rows, const uint8_t* codes, size_t count,
                       size_t code_bytes, uint32_t* best);
#if defined(__x86_64__)
/// Needs AVX2.
void HammingBestAvx2(const uint8_t* query, size_t rows, const uint8_t* codes, size_t count,
                     size_t code_bytes, uint32_t* best);
/// Needs AVX-512 F and VPOPCNTDQ.
void HammingBestAvx512(const uint8_t* query, size_t rows, const uint8_t* codes, size_t count,
                       size_t code_bytes, uint32_t* best);
#elif defined(__aarch64__)
/// Needs what every 64-bit Arm processor has.
void HammingBestNeon(const uint8_t* query, size_t rows, const uint8_t* codes, size_t count,
                     size_t code_bytes, uint32_t* best);
#endif

}  // namespace sightline::kernels
