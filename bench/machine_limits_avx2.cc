#include <immintrin.h>

#include "machine_limits.h"

namespace sightline::bench {
namespace {

constexpr size_t kAccumulators = 10;

int SumLanes(__m256i v) {
  __m128i sum = _mm_add_epi32(_mm256_castsi256_si128(v), _mm256_extracti128_si256(v, 1));
  sum = _mm_add_epi32(sum, _mm_shuffle_epi32(sum, 0x4E));
  sum = _mm_add_epi32(sum, _mm_shuffle_epi32(sum, 0xB1));
  return _mm_cvtsi128_si32(sum);
}

int MaddPeak(size_t rounds) {
  __m256i sums[kAccumulators];
#pragma GCC unroll 10
  for (auto& sum : sums) sum = _mm256_setzero_si256();
  __m256i a = _mm256_set1_epi8(3);
  const __m256i b = _mm256_set1_epi8(5);
  const __m256i ones = _mm256_set1_epi16(1);
  for (size_t i = 0; i < rounds; ++i) {
#pragma GCC unroll 10
    for (auto& sum : sums) {
      // The compiler must not see that all accumulators do the same.
      asm volatile("" : "+x"(a));
      sum = _mm256_add_epi32(sum, _mm256_madd_epi16(_mm256_maddubs_epi16(a, b), ones));
    }
  }
  __m256i all = sums[0];
#pragma GCC unroll 10
  for (size_t k = 1; k < kAccumulators; ++k) all = _mm256_add_epi32(all, sums[k]);
  return SumLanes(all);
}

int FmaPeak(size_t rounds) {
  __m256 sums[kAccumulators];
#pragma GCC unroll 10
  for (auto& sum : sums) sum = _mm256_setzero_ps();
  __m256 a = _mm256_set1_ps(0.5F);
  const __m256 b = _mm256_set1_ps(0.25F);
  for (size_t i = 0; i < rounds; ++i) {
#pragma GCC unroll 10
    for (auto& sum : sums) {
      asm volatile("" : "+x"(a));
      sum = _mm256_fmadd_ps(a, b, sum);
    }
  }
  __m256 all = sums[0];
#pragma GCC unroll 10
  for (size_t k = 1; k < kAccumulators; ++k) all = _mm256_add_ps(all, sums[k]);
  return SumLanes(_mm256_cvtps_epi32(all));
}

__m256i Load(const void* at) { return _mm256_loadu_si256(static_cast<const __m256i*>(at)); }

}  // namespace

const PeakLoop kAvx2Peak = {"maddubs+maddwd", MaddPeak, 2.0 * 32 * kAccumulators};
const PeakLoop kFmaPeak256 = {"fma, 256 bits", FmaPeak, 2.0 * 8 * kAccumulators};

int ReadAllAvx2(const uint8_t* data, size_t size_bytes) {
  __m256i sums[8];
  for (auto& sum : sums) sum = _mm256_setzero_si256();
  for (size_t at = 0; at < size_bytes; at += sizeof(sums)) {
    for (size_t k = 0; k < 8; ++k) {
      sums[k] = _mm256_or_si256(sums[k], Load(data + at + k * sizeof(__m256i)));
    }
  }
  __m256i all = sums[0];
  for (size_t k = 1; k < 8; ++k) all = _mm256_or_si256(all, sums[k]);
  return SumLanes(all);
}

int32_t PairDotAvx2(const int8_t* a, const int8_t* b, size_t dims) {
  const __m256i ones = _mm256_set1_epi16(1);
  __m256i sum = _mm256_setzero_si256();
  for (size_t i = 0; i < dims; i += 32) {
    const __m256i x = Load(a + i);
    const __m256i y = Load(b + i);
    const __m256i products = _mm256_maddubs_epi16(_mm256_abs_epi8(x), _mm256_sign_epi8(y, x));
    sum = _mm256_add_epi32(sum, _mm256_madd_epi16(products, ones));
  }
  return SumLanes(sum);
}

}  // namespace sightline::bench
