// AVX-512 with VNNI: vpdpbusd multiplies unsigned by signed bytes and adds four products to an
// int32 without saturating. The document code is made unsigned by adding 128, and 128 × the sum of
// the query's codes is where the accumulators start below zero.
//
// Packed query: groups of 16 vectors; for each four dims, 16 × 4 int8; then 16 int32 starting
// values a group. Four dims of a document vector are broadcast, so that accumulators hold one query
// vector a lane and nothing has to be summed across lanes.
#include <immintrin.h>
#include <string.h>

#include "kernels/kernel_table.h"

namespace sightline::kernels {
namespace {

constexpr size_t kLanes = 16;    // Query vectors in a register.
constexpr size_t kTileRows = 8;  // Document vectors at a time.
constexpr size_t kMaxDims = 4096;

__m512i Biased(__m512i codes) { return _mm512_xor_si512(codes, _mm512_set1_epi8(-128)); }

__mmask64 TailMask(size_t left) { return left >= 64 ? ~__mmask64{0} : (__mmask64{1} << left) - 1; }

// Loads up to 64 codes; what is missing is 0.
__m512i LoadCodes(const int8_t* at, size_t left) {
  return _mm512_maskz_loadu_epi8(TailMask(left), at);
}

void Dots(const int8_t* query, const int8_t* rows, size_t count, size_t dims, int32_t* out) {
  __m512i query_sum = _mm512_setzero_si512();
  const __m512i ones = _mm512_set1_epi8(1);
  for (size_t i = 0; i < dims; i += 64) {
    query_sum = _mm512_dpbusd_epi32(query_sum, ones, LoadCodes(query + i, dims - i));
  }
  const int32_t start = -128 * _mm512_reduce_add_epi32(query_sum);
  size_t row = 0;
  for (; row + 4 <= count; row += 4) {
    __m512i sums[4];
    for (auto& sum : sums) sum = _mm512_setzero_si512();
    const int8_t* at = rows + row * dims;
    for (size_t i = 0; i < dims; i += 64) {
      const __m512i q = LoadCodes(query + i, dims - i);
      for (size_t r = 0; r < 4; ++r) {
        sums[r] = _mm512_dpbusd_epi32(sums[r], Biased(LoadCodes(at + r * dims + i, dims - i)), q);
      }
    }
    for (size_t r = 0; r < 4; ++r) out[row + r] = start + _mm512_reduce_add_epi32(sums[r]);
  }
  for (; row < count; ++row) {
    __m512i sum = _mm512_setzero_si512();
    for (size_t i = 0; i < dims; i += 64) {
      sum = _mm512_dpbusd_epi32(sum, Biased(LoadCodes(rows + row * dims + i, dims - i)),
                                LoadCodes(query + i, dims - i));
    }
    out[row] = start + _mm512_reduce_add_epi32(sum);
  }
}

size_t Quads(size_t dims) { return (dims + 3) / 4; }
size_t Groups(size_t count) { return (count + kLanes - 1) / kLanes; }
size_t GroupBytes(size_t dims) { return (Quads(dims) + 1) * 64; }

size_t PackedBytes(size_t count, size_t dims) { return Groups(count) * GroupBytes(dims); }

void Pack(const int8_t* queries, size_t count, size_t dims, void* packed) {
  auto* out = static_cast<int8_t*>(packed);
  memset(packed, 0, PackedBytes(count, dims));
  for (size_t q = 0; q < count; ++q) {
    int8_t* group = out + q / kLanes * GroupBytes(dims);
    int32_t sum = 0;
    for (size_t i = 0; i < dims; ++i) {
      group[(i / 4 * kLanes + q % kLanes) * 4 + i % 4] = queries[q * dims + i];
      sum += queries[q * dims + i];
    }
    const int32_t start = -128 * sum;
    memcpy(group + Quads(dims) * 64 + q % kLanes * 4, &start, sizeof(start));
  }
}

__m512i Broadcast(const uint8_t* quad) {
  int32_t four;
  memcpy(&four, quad, sizeof(four));
  return _mm512_set1_epi32(four);
}

__m512i Load64(const int8_t* at) { return _mm512_loadu_si512(at); }

// One tile of rows against `kGroups` groups.
template <size_t kGroups>
void TileMax(const int8_t* groups, const uint8_t (*tile)[kMaxDims], const float* scales,
             size_t dims, float* best) {
  const size_t quads = Quads(dims);
  __m512i sums[kTileRows][kGroups];
  for (auto& row : sums) {
    for (size_t g = 0; g < kGroups; ++g)
      row[g] = Load64(groups + g * GroupBytes(dims) + quads * 64);
  }
  for (size_t quad = 0; quad < quads; ++quad) {
    __m512i query[kGroups];
    for (size_t g = 0; g < kGroups; ++g) {
      query[g] = Load64(groups + g * GroupBytes(dims) + quad * 64);
    }
    for (size_t r = 0; r < kTileRows; ++r) {
      const __m512i codes = Broadcast(tile[r] + 4 * quad);
      for (size_t g = 0; g < kGroups; ++g) {
        sums[r][g] = _mm512_dpbusd_epi32(sums[r][g], codes, query[g]);
      }
    }
  }
  for (size_t g = 0; g < kGroups; ++g) {
    __m512 top = _mm512_loadu_ps(best + g * kLanes);
    for (size_t r = 0; r < kTileRows; ++r) {
      const __m512 value = _mm512_mul_ps(_mm512_cvtepi32_ps(sums[r][g]), _mm512_set1_ps(scales[r]));
      top = _mm512_max_ps(value, top);
    }
    _mm512_storeu_ps(best + g * kLanes, top);
  }
}

void MaxDots(const void* packed, size_t count, const int8_t* rows, const float* scales,
             size_t row_count, size_t dims, float* best) {
  alignas(64) uint8_t tile[kTileRows][kMaxDims];
  float tile_scales[kTileRows];
  const auto* queries = static_cast<const int8_t*>(packed);
  const size_t groups = Groups(count);
  for (size_t first = 0; first < row_count; first += kTileRows) {
    for (size_t r = 0; r < kTileRows; ++r) {
      // A short last tile repeats its last row, which changes no maximum.
      const size_t row = first + r < row_count ? first + r : row_count - 1;
      for (size_t i = 0; i < dims; i += 64) {
        _mm512_store_si512(tile[r] + i, Biased(LoadCodes(rows + row * dims + i, dims - i)));
      }
      tile_scales[r] = scales[row];
    }
    size_t group = 0;
    for (; group + 2 <= groups; group += 2) {
      TileMax<2>(queries + group * GroupBytes(dims), tile, tile_scales, dims,
                 best + group * kLanes);
    }
    if (group < groups) {
      TileMax<1>(queries + group * GroupBytes(dims), tile, tile_scales, dims,
                 best + group * kLanes);
    }
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

const KernelTable kAvx512Kernels = {"avx512", Dots, PackedBytes, Pack, MaxDots, DotF32};

}  // namespace sightline::kernels
