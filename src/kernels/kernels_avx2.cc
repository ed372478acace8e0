// AVX2: vpmaddubsw multiplies the documents' unsigned codes by the query's signed ones and adds two
// products to an int16, which cannot saturate (QueryRows); vpmaddwd with ones adds two of those to
// an int32. A group is two registers a quad of dims; four dims of a query vector are broadcast.
#include <immintrin.h>
#include <string.h>

#include "kernels/kernel_table.h"

namespace sightline::kernels {
namespace {

constexpr size_t kLanes = 16;
constexpr size_t kHalf = 8;        // Lanes of a register.
constexpr size_t kQuadBytes = 64;  // Four dims of 16 vectors.
constexpr size_t kAheadBytes = 16384;
constexpr size_t kTileRows = 4;  // Query vectors at a time: 8 accumulators.

size_t Quads(size_t dims) { return (dims + 3) / 4; }

__m256i Load(const void* at) { return _mm256_loadu_si256(static_cast<const __m256i*>(at)); }

__m256i BroadcastQuad(const int8_t* at) {
  int32_t four;
  memcpy(&four, at, sizeof(four));
  return _mm256_set1_epi32(four);
}

// Brings what is read `kAheadBytes` later into the second-level cache. Past the end of the data
// this does nothing.
void Prefetch(const uint8_t* at) { __builtin_prefetch(at + kAheadBytes, 0, 2); }

// Sums of one query vector over the 16 lanes of a group.
struct Sums {
  __m256i low;
  __m256i high;
};

// Dot products of `kRows` query vectors from `row` on with the vectors of a group.
template <size_t kRows>
[[gnu::always_inline]] inline void TileSums(const QueryRows& query, size_t row,
                                            const uint8_t* group, size_t quads, Sums* sums) {
  const int8_t* codes = query.codes + row * query.stride;
  const __m256i ones = _mm256_set1_epi16(1);
  for (size_t r = 0; r < kRows; ++r) {
    sums[r].low = sums[r].high = _mm256_set1_epi32(query.starts[row + r]);
  }
  for (size_t quad = 0; quad < quads; ++quad) {
    const uint8_t* at = group + quad * kQuadBytes;
    Prefetch(at);
    const __m256i low = Load(at);
    const __m256i high = Load(at + kQuadBytes / 2);
    for (size_t r = 0; r < kRows; ++r) {
      const __m256i four = BroadcastQuad(codes + r * query.stride + quad * 4);
      sums[r].low =
          _mm256_add_epi32(sums[r].low, _mm256_madd_epi16(_mm256_maddubs_epi16(low, four), ones));
      sums[r].high =
          _mm256_add_epi32(sums[r].high, _mm256_madd_epi16(_mm256_maddubs_epi16(high, four), ones));
    }
  }
}

__m256 Scaled(__m256i sums, const float* scales) {
  return _mm256_mul_ps(_mm256_cvtepi32_ps(sums), _mm256_loadu_ps(scales));
}

// Puts values, and the vectors that they are of, where they are greater than those of `best`.
void TakeGreater(__m256 values, __m256i vectors, float* best, uint32_t* best_vector) {
  const __m256 old = _mm256_loadu_ps(best);
  const __m256 greater = _mm256_cmp_ps(values, old, _CMP_GT_OQ);
  _mm256_storeu_ps(best, _mm256_blendv_ps(old, values, greater));
  _mm256_maskstore_epi32(reinterpret_cast<int32_t*>(best_vector), _mm256_castps_si256(greater),
                         vectors);
}

const float* Scales(const uint8_t* group, size_t quads) {
  const uint8_t* scales = group + quads * kQuadBytes;
  Prefetch(scales);
  return reinterpret_cast<const float*>(scales);
}

template <size_t kRows>
void MaxTile(const QueryRows& query, size_t row, const uint8_t* group, size_t quads, float* best) {
  Sums sums[kRows];
  TileSums<kRows>(query, row, group, quads, sums);
  const float* scales = Scales(group, quads);
  for (size_t r = 0; r < kRows; ++r) {
    float* low = best + (row + r) * kLanes;
    float* high = low + kHalf;
    _mm256_storeu_ps(low, _mm256_max_ps(Scaled(sums[r].low, scales), _mm256_loadu_ps(low)));
    _mm256_storeu_ps(high,
                     _mm256_max_ps(Scaled(sums[r].high, scales + kHalf), _mm256_loadu_ps(high)));
  }
}

// As MaxTile; `first_vector` is the number of the group's first vector.
template <size_t kRows>
void BestTile(const QueryRows& query, size_t row, const uint8_t* group, size_t quads,
              uint32_t first_vector, float* best, uint32_t* best_vector) {
  Sums sums[kRows];
  TileSums<kRows>(query, row, group, quads, sums);
  const float* scales = Scales(group, quads);
  const __m256i low = _mm256_add_epi32(_mm256_set1_epi32(static_cast<int32_t>(first_vector)),
                                       _mm256_setr_epi32(0, 1, 2, 3, 4, 5, 6, 7));
  const __m256i high = _mm256_add_epi32(low, _mm256_set1_epi32(kHalf));
  for (size_t r = 0; r < kRows; ++r) {
    const size_t at = (row + r) * kLanes;
    TakeGreater(Scaled(sums[r].low, scales), low, best + at, best_vector + at);
    TakeGreater(Scaled(sums[r].high, scales + kHalf), high, best + at + kHalf,
                best_vector + at + kHalf);
  }
}

void Dots(const QueryRows* query, const uint8_t* group, size_t dims, float* values) {
  const size_t quads = Quads(dims);
  const float* scales = Scales(group, quads);
  const auto store = [&](const Sums& sums, size_t row) {
    _mm256_storeu_ps(values + row * kLanes, Scaled(sums.low, scales));
    _mm256_storeu_ps(values + row * kLanes + kHalf, Scaled(sums.high, scales + kHalf));
  };
  size_t row = 0;
  for (; row + kTileRows <= query->count; row += kTileRows) {
    Sums sums[kTileRows];
    TileSums<kTileRows>(*query, row, group, quads, sums);
    for (size_t r = 0; r < kTileRows; ++r) store(sums[r], row + r);
  }
  for (; row < query->count; ++row) {
    Sums sums[1];
    TileSums<1>(*query, row, group, quads, sums);
    store(sums[0], row);
  }
}

void MaxDots(const QueryRows* query, const uint8_t* groups, size_t group_count, size_t dims,
             float* best) {
  const size_t quads = Quads(dims);
  const size_t group_bytes = (quads + 1) * kQuadBytes;
  for (size_t g = 0; g < group_count; ++g) {
    const uint8_t* group = groups + g * group_bytes;
    size_t row = 0;
    for (; row + kTileRows <= query->count; row += kTileRows) {
      MaxTile<kTileRows>(*query, row, group, quads, best);
    }
    for (; row < query->count; ++row) MaxTile<1>(*query, row, group, quads, best);
  }
}

void BestDots(const QueryRows* query, const uint8_t* groups, size_t group_count, size_t dims,
              float* best, uint32_t* best_vector) {
  const size_t quads = Quads(dims);
  const size_t group_bytes = (quads + 1) * kQuadBytes;
  for (size_t g = 0; g < group_count; ++g) {
    const uint8_t* group = groups + g * group_bytes;
    const auto first = static_cast<uint32_t>(g * kLanes);
    size_t row = 0;
    for (; row + kTileRows <= query->count; row += kTileRows) {
      BestTile<kTileRows>(*query, row, group, quads, first, best, best_vector);
    }
    for (; row < query->count; ++row) {
      BestTile<1>(*query, row, group, quads, first, best, best_vector);
    }
  }
}

float DotF32(const float* a, const float* b, size_t dims) {
  __m256 sums[4] = {_mm256_setzero_ps(), _mm256_setzero_ps(), _mm256_setzero_ps(),
                    _mm256_setzero_ps()};
  size_t i = 0;
  for (; i + 32 <= dims; i += 32) {
    for (size_t k = 0; k < 4; ++k) {
      sums[k] =
          _mm256_fmadd_ps(_mm256_loadu_ps(a + i + 8 * k), _mm256_loadu_ps(b + i + 8 * k), sums[k]);
    }
  }
  const __m256 sum =
      _mm256_add_ps(_mm256_add_ps(sums[0], sums[1]), _mm256_add_ps(sums[2], sums[3]));
  float lanes[8];
  _mm256_storeu_ps(lanes, sum);
  float total = 0;
  for (const float lane : lanes) total += lane;
  for (; i < dims; ++i) total += a[i] * b[i];
  return total;
}

}  // namespace

const KernelTable kAvx2Kernels = {
    .name = "avx2",
    .dots = Dots,
    .max_dots = MaxDots,
    .best_dots = BestDots,
    .dot_f32 = DotF32,
    .max_dots_f32 = MaxDotsF32Avx2,
    .max_dots_f16 = MaxDotsF16Avx2,
    .pq4_max = Pq4MaxAvx2,
    .pq4_best = Pq4BestAvx2,
    .hamming_best = HammingBestAvx2,
};

}  // namespace sightline::kernels
