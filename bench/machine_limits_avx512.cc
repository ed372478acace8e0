#include <immintrin.h>

#include "machine_limits.h"

namespace sightline::bench {
namespace {

constexpr size_t kAccumulators = 16;

int VnniPeak(size_t rounds) {
  __m512i sums[kAccumulators];
#pragma GCC unroll 16
  for (auto& sum : sums) sum = _mm512_setzero_si512();
  __m512i a = _mm512_set1_epi8(3);
  const __m512i b = _mm512_set1_epi8(5);
  for (size_t i = 0; i < rounds; ++i) {
#pragma GCC unroll 16
    for (auto& sum : sums) {
      asm volatile("" : "+v"(a));
      // Written out: g++ 12 copies the accumulators around its intrinsic.
      asm("vpdpbusd %2, %1, %0" : "+v"(sum) : "v"(a), "v"(b));
    }
  }
  __m512i all = sums[0];
#pragma GCC unroll 16
  for (size_t k = 1; k < kAccumulators; ++k) all = _mm512_add_epi32(all, sums[k]);
  return _mm512_reduce_add_epi32(all);
}

int FmaPeak(size_t rounds) {
  __m512 sums[kAccumulators];
#pragma GCC unroll 16
  for (auto& sum : sums) sum = _mm512_setzero_ps();
  __m512 a = _mm512_set1_ps(0.5F);
  const __m512 b = _mm512_set1_ps(0.25F);
  for (size_t i = 0; i < rounds; ++i) {
#pragma GCC unroll 16
    for (auto& sum : sums) {
      asm volatile("" : "+v"(a));
      sum = _mm512_fmadd_ps(a, b, sum);
    }
  }
  __m512 all = sums[0];
#pragma GCC unroll 16
  for (size_t k = 1; k < kAccumulators; ++k) all = _mm512_add_ps(all, sums[k]);
  return _mm512_reduce_add_epi32(_mm512_cvtps_epi32(all));
}

}  // namespace

const PeakLoop kVnniPeak = {"vpdpbusd", VnniPeak, 2.0 * 64 * kAccumulators};
const PeakLoop kFmaPeak512 = {"fma, 512 bits", FmaPeak, 2.0 * 16 * kAccumulators};

}  // namespace sightline::bench
