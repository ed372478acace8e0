// AVX-512 with VNNI: vpdpbusd multiplies the documents' unsigned codes by the query's signed ones
// and adds four products to an int32 without saturating. Four dims of a group are one register;
// four dims of a query vector are broadcast.
#include <immintrin.h>
#include <string.h>

#include "kernels/kernel_table.h"

namespace sightline::kernels {
namespace {

constexpr size_t kLanes = 16;
constexpr size_t kQuadBytes = 64;  // Four dims of 16 vectors.
constexpr size_t kAheadBytes = 16384;
constexpr size_t kTileRows = 8;    // Query vectors at a time …
constexpr size_t kTileGroups = 2;  // … against these: 16 accumulators.

size_t Quads(size_t dims) { return (dims + 3) / 4; }

__m512i BroadcastQuad(const int8_t* at) {
  int32_t four;
  memcpy(&four, at, sizeof(four));
  return _mm512_set1_epi32(four);
}

// Brings what is read `kAheadBytes` later into the second-level cache. Past the end of the data
// this does nothing.
void Prefetch(const uint8_t* at) { __builtin_prefetch(at + kAheadBytes, 0, 2); }

// Written out: around its intrinsic g++ 12 copies every accumulator twice.
void MultiplyAdd(__m512i documents, __m512i query, __m512i& sums) {
  asm("vpdpbusd %2, %1, %0" : "+v"(sums) : "v"(documents), "v"(query));
}

__m512 Scaled(__m512i sums, const uint8_t* group, size_t quads) {
  const uint8_t* scales = group + quads * kQuadBytes;
  Prefetch(scales);
  return _mm512_mul_ps(_mm512_cvtepi32_ps(sums), _mm512_loadu_ps(scales));
}

// The numbers of a group's vectors.
__m512i Numbers(size_t first_vector) {
  const __m512i lanes = _mm512_setr_epi32(0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15);
  return _mm512_add_epi32(_mm512_set1_epi32(static_cast<int32_t>(first_vector)), lanes);
}

// Dot products of `kRows` query vectors from `row` on with the vectors of `kGroups` groups.
template <size_t kRows, size_t kGroups>
[[gnu::always_inline]] inline void TileSums(const QueryRows& query, size_t row,
                                            const uint8_t* groups, size_t quads,
                                            __m512i (*sums)[kGroups]) {
  const int8_t* codes = query.codes + row * query.stride;
  const size_t group_bytes = (quads + 1) * kQuadBytes;
#pragma GCC unroll 8
  for (size_t r = 0; r < kRows; ++r) {
#pragma GCC unroll 8
    for (size_t g = 0; g < kGroups; ++g) sums[r][g] = _mm512_set1_epi32(query.starts[row + r]);
  }
  for (size_t quad = 0; quad < quads; ++quad) {
    __m512i documents[kGroups];
#pragma GCC unroll 8
    for (size_t g = 0; g < kGroups; ++g) {
      const uint8_t* at = groups + g * group_bytes + quad * kQuadBytes;
      Prefetch(at);
      documents[g] = _mm512_loadu_si512(at);
    }
#pragma GCC unroll 8
    for (size_t r = 0; r < kRows; ++r) {
      const __m512i four = BroadcastQuad(codes + r * query.stride + quad * 4);
#pragma GCC unroll 8
      for (size_t g = 0; g < kGroups; ++g) {
        MultiplyAdd(documents[g], four, sums[r][g]);
      }
    }
  }
}

template <size_t kRows, size_t kGroups>
void MaxTile(const QueryRows& query, size_t row, const uint8_t* groups, size_t quads, float* best) {
  __m512i sums[kRows][kGroups];
  TileSums<kRows, kGroups>(query, row, groups, quads, sums);
#pragma GCC unroll 8
  for (size_t r = 0; r < kRows; ++r) {
    __m512 top = _mm512_loadu_ps(best + (row + r) * kLanes);
#pragma GCC unroll 8
    for (size_t g = 0; g < kGroups; ++g) {
      top = _mm512_max_ps(Scaled(sums[r][g], groups + g * (quads + 1) * kQuadBytes, quads), top);
    }
    _mm512_storeu_ps(best + (row + r) * kLanes, top);
  }
}

// As MaxTile; `first_vector` is the number of the first group's first vector.
template <size_t kRows, size_t kGroups>
void BestTile(const QueryRows& query, size_t row, const uint8_t* groups, size_t quads,
              uint32_t first_vector, float* best, uint32_t* best_vector) {
  __m512i sums[kRows][kGroups];
  TileSums<kRows, kGroups>(query, row, groups, quads, sums);
  __m512i vectors[kGroups];
#pragma GCC unroll 8
  for (size_t g = 0; g < kGroups; ++g) vectors[g] = Numbers(first_vector + g * kLanes);
#pragma GCC unroll 8
  for (size_t r = 0; r < kRows; ++r) {
    float* top_at = best + (row + r) * kLanes;
    uint32_t* vector_at = best_vector + (row + r) * kLanes;
    __m512 top = _mm512_loadu_ps(top_at);
    __m512i vector = _mm512_loadu_si512(vector_at);
#pragma GCC unroll 8
    for (size_t g = 0; g < kGroups; ++g) {
      const __m512 value = Scaled(sums[r][g], groups + g * (quads + 1) * kQuadBytes, quads);
      const __mmask16 greater = _mm512_cmp_ps_mask(value, top, _CMP_GT_OQ);
      top = _mm512_mask_mov_ps(top, greater, value);
      vector = _mm512_mask_mov_epi32(vector, greater, vectors[g]);
    }
    _mm512_storeu_ps(top_at, top);
    _mm512_storeu_si512(vector_at, vector);
  }
}

template <size_t kGroups>
void BestRows(const QueryRows& query, const uint8_t* groups, size_t quads, size_t first_group,
              float* best, uint32_t* best_vector) {
  const auto first = static_cast<uint32_t>(first_group * kLanes);
  size_t row = 0;
  for (; row + kTileRows <= query.count; row += kTileRows) {
    BestTile<kTileRows, kGroups>(query, row, groups, quads, first, best, best_vector);
  }
  for (; row < query.count; ++row) {
    BestTile<1, kGroups>(query, row, groups, quads, first, best, best_vector);
  }
}

template <size_t kGroups>
void MaxRows(const QueryRows& query, const uint8_t* groups, size_t quads, float* best) {
  size_t row = 0;
  for (; row + kTileRows <= query.count; row += kTileRows) {
    MaxTile<kTileRows, kGroups>(query, row, groups, quads, best);
  }
  for (; row < query.count; ++row) MaxTile<1, kGroups>(query, row, groups, quads, best);
}

template <size_t kRows>
void DotsTile(const QueryRows& query, size_t row, const uint8_t* group, size_t quads,
              float* values) {
  __m512i sums[kRows][1];
  TileSums<kRows, 1>(query, row, group, quads, sums);
#pragma GCC unroll 8
  for (size_t r = 0; r < kRows; ++r) {
    _mm512_storeu_ps(values + (row + r) * kLanes, Scaled(sums[r][0], group, quads));
  }
}

void Dots(const QueryRows* query, const uint8_t* group, size_t dims, float* values) {
  const size_t quads = Quads(dims);
  size_t row = 0;
  for (; row + kTileRows <= query->count; row += kTileRows) {
    DotsTile<kTileRows>(*query, row, group, quads, values);
  }
  for (; row < query->count; ++row) DotsTile<1>(*query, row, group, quads, values);
}

void MaxDots(const QueryRows* query, const uint8_t* groups, size_t group_count, size_t dims,
             float* best) {
  const size_t quads = Quads(dims);
  const size_t group_bytes = (quads + 1) * kQuadBytes;
  size_t g = 0;
  for (; g + kTileGroups <= group_count; g += kTileGroups) {
    MaxRows<kTileGroups>(*query, groups + g * group_bytes, quads, best);
  }
  if (g < group_count) MaxRows<1>(*query, groups + g * group_bytes, quads, best);
}

void BestDots(const QueryRows* query, const uint8_t* groups, size_t group_count, size_t dims,
              float* best, uint32_t* best_vector) {
  const size_t quads = Quads(dims);
  const size_t group_bytes = (quads + 1) * kQuadBytes;
  size_t g = 0;
  for (; g + kTileGroups <= group_count; g += kTileGroups) {
    BestRows<kTileGroups>(*query, groups + g * group_bytes, quads, g, best, best_vector);
  }
  if (g < group_count) {
    BestRows<1>(*query, groups + g * group_bytes, quads, g, best, best_vector);
  }
}

float DotF32(const float* a, const float* b, size_t dims) {
  __m512 first = _mm512_setzero_ps();
  __m512 second = _mm512_setzero_ps();
  size_t i = 0;
  for (; i + 32 <= dims; i += 32) {
    first = _mm512_fmadd_ps(_mm512_loadu_ps(a + i), _mm512_loadu_ps(b + i), first);
    second = _mm512_fmadd_ps(_mm512_loadu_ps(a + i + 16), _mm512_loadu_ps(b + i + 16), second);
  }
  for (; i < dims; i += 16) {
    const size_t left = dims - i;
    const auto mask = static_cast<__mmask16>(left >= 16 ? 0xFFFFU : (1U << left) - 1U);
    first = _mm512_fmadd_ps(_mm512_maskz_loadu_ps(mask, a + i), _mm512_maskz_loadu_ps(mask, b + i),
                            first);
  }
  return _mm512_reduce_add_ps(_mm512_add_ps(first, second));
}

}  // namespace

const KernelTable kAvx512Kernels = {
    .name = "avx512",
    .dots = Dots,
    .max_dots = MaxDots,
    .best_dots = BestDots,
    .dot_f32 = DotF32,
    .max_dots_f32 = MaxDotsF32Avx512,
    .max_dots_f16 = MaxDotsF16Avx512,
    .pq4_max = Pq4MaxAvx512,
    .pq4_best = Pq4BestAvx2,
    .hamming_best = HammingBestAvx2,
};
const KernelTable kAvx512VbmiKernels = {
    .name = "avx512_vbmi",
    .dots = Dots,
    .max_dots = MaxDots,
    .best_dots = BestDots,
    .dot_f32 = DotF32,
    .max_dots_f32 = MaxDotsF32Avx512,
    .max_dots_f16 = MaxDotsF16Avx512,
    .pq4_max = Pq4MaxAvx512Vbmi,
    .pq4_best = Pq4BestAvx2,
    .hamming_best = HammingBestAvx512,
};

}  // namespace sightline::kernels
