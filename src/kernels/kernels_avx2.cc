// AVX2: int8 widened to 16 bits and multiplied by vpmaddwd, which cannot saturate for int8 inputs
// (|sum of two products| ≤ 2 × 128²).
//
// Packed query: groups of 8 vectors; for each pair of dims, 8 × 2 int16. A document vector's pair
// is broadcast to all lanes, so that the accumulators hold one query vector a lane and nothing has
// to be summed across lanes.
#include <immintrin.h>
#include <string.h>

#include "kernels/kernel_table.h"

namespace sightline::kernels {
namespace {

constexpr size_t kLanes = 8;     // Query vectors in a register.
constexpr size_t kTileRows = 4;  // Document vectors at a time.
constexpr size_t kMaxDims = 4096;

__m128i Load16(const int8_t* at) {
  __m128i value;
  memcpy(&value, at, sizeof(value));
  return value;
}

int32_t SumLanes(__m256i v) {
  __m128i sum = _mm_add_epi32(_mm256_castsi256_si128(v), _mm256_extracti128_si256(v, 1));
  sum = _mm_add_epi32(sum, _mm_shuffle_epi32(sum, 0x4E));
  sum = _mm_add_epi32(sum, _mm_shuffle_epi32(sum, 0xB1));
  return _mm_cvtsi128_si32(sum);
}

int32_t Dot(const int8_t* a, const int8_t* b, size_t dims) {
  __m256i sum = _mm256_setzero_si256();
  size_t i = 0;
  for (; i + 16 <= dims; i += 16) {
    const __m256i x = _mm256_cvtepi8_epi16(Load16(a + i));
    const __m256i y = _mm256_cvtepi8_epi16(Load16(b + i));
    sum = _mm256_add_epi32(sum, _mm256_madd_epi16(x, y));
  }
  int32_t total = SumLanes(sum);
  for (; i < dims; ++i) total += int32_t{a[i]} * int32_t{b[i]};
  return total;
}

void Dots(const int8_t* query, const int8_t* rows, size_t count, size_t dims, int32_t* out) {
  for (size_t i = 0; i < count; ++i) out[i] = Dot(query, rows + i * dims, dims);
}

size_t Pairs(size_t dims) { return (dims + 1) / 2; }

// Groups come in twos, so that one broadcast serves 16 query vectors.
size_t Groups(size_t count) { return (count + 2 * kLanes - 1) / (2 * kLanes) * 2; }

size_t PackedBytes(size_t count, size_t dims) {
  return Groups(count) * Pairs(dims) * kLanes * 2 * sizeof(int16_t);
}

void Pack(const int8_t* queries, size_t count, size_t dims, void* packed) {
  auto* out = static_cast<int16_t*>(packed);
  memset(packed, 0, PackedBytes(count, dims));
  for (size_t q = 0; q < count; ++q) {
    int16_t* group = out + q / kLanes * Pairs(dims) * kLanes * 2;
    for (size_t i = 0; i < dims; ++i) {
      group[(i / 2 * kLanes + q % kLanes) * 2 + i % 2] = queries[q * dims + i];
    }
  }
}

// The rows of a tile as int16, padded with a zero to an even number of dims.
void WidenRow(const int8_t* row, size_t dims, int16_t* out) {
  size_t i = 0;
  for (; i + 16 <= dims; i += 16) {
    const __m256i wide = _mm256_cvtepi8_epi16(Load16(row + i));
    memcpy(out + i, &wide, sizeof(wide));
  }
  for (; i < dims; ++i) out[i] = row[i];
  if (dims % 2 != 0) out[dims] = 0;
}

__m256i Broadcast(const int16_t* pair) {
  int32_t both;
  memcpy(&both, pair, sizeof(both));
  return _mm256_set1_epi32(both);
}

// One tile of rows against two groups.
void TileMax(const int16_t* groups, const int16_t (*tile)[kMaxDims], const float* scales,
             size_t pairs, float* best) {
  __m256i sums[kTileRows][2];
  for (auto& row : sums) row[0] = row[1] = _mm256_setzero_si256();
  const int16_t* second = groups + pairs * kLanes * 2;
  for (size_t p = 0; p < pairs; ++p) {
    __m256i a;
    __m256i b;
    memcpy(&a, groups + p * kLanes * 2, sizeof(a));
    memcpy(&b, second + p * kLanes * 2, sizeof(b));
    for (size_t r = 0; r < kTileRows; ++r) {
      const __m256i pair = Broadcast(tile[r] + 2 * p);
      sums[r][0] = _mm256_add_epi32(sums[r][0], _mm256_madd_epi16(a, pair));
      sums[r][1] = _mm256_add_epi32(sums[r][1], _mm256_madd_epi16(b, pair));
    }
  }
  for (size_t half = 0; half < 2; ++half) {
    __m256 top = _mm256_loadu_ps(best + half * kLanes);
    for (size_t r = 0; r < kTileRows; ++r) {
      const __m256 value =
          _mm256_mul_ps(_mm256_cvtepi32_ps(sums[r][half]), _mm256_set1_ps(scales[r]));
      top = _mm256_max_ps(value, top);
    }
    _mm256_storeu_ps(best + half * kLanes, top);
  }
}

void MaxDots(const void* packed, size_t count, const int8_t* rows, const float* scales,
             size_t row_count, size_t dims, float* best) {
  alignas(64) int16_t tile[kTileRows][kMaxDims];
  float tile_scales[kTileRows];
  const auto* queries = static_cast<const int16_t*>(packed);
  const size_t pairs = Pairs(dims);
  for (size_t first = 0; first < row_count; first += kTileRows) {
    for (size_t r = 0; r < kTileRows; ++r) {
      // A short last tile repeats its last row, which changes no maximum.
      const size_t row = first + r < row_count ? first + r : row_count - 1;
      WidenRow(rows + row * dims, dims, tile[r]);
      tile_scales[r] = scales[row];
    }
    for (size_t group = 0; group < Groups(count); group += 2) {
      TileMax(queries + group * pairs * kLanes * 2, tile, tile_scales, pairs,
              best + group * kLanes);
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

const KernelTable kAvx2Kernels = {"avx2", Dots, PackedBytes, Pack, MaxDots, DotF32};

}  // namespace sightline::kernels
