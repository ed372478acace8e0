// AMX: a tile multiplication adds the products of 16 query vectors and 16 document vectors over 64
// dims. A tile of documents is 16 quads of a group as they are stored; a tile of the query is 16
// rows. The tiles' configuration is loaded and released in every call, so that no state is left.
#include <immintrin.h>
#include <string.h>

#include "kernels/kernel_table.h"

namespace sightline::kernels {
namespace {

constexpr size_t kLanes = 16;
constexpr size_t kQuadBytes = 64;  // Four dims of 16 vectors.
constexpr size_t kTileRows = 16;   // Query vectors, or quads, of a tile.
constexpr size_t kTileBytes = kTileRows * kQuadBytes;
constexpr size_t kAheadBytes = 16384;
// Below this most of a tile of the query would be zeros, and AVX-512 is as fast as memory.
constexpr size_t kFewestRows = 9;

// Operand of ldtilecfg (Intel SDM, volume 1, 18.3).
struct TileConfiguration {
  uint8_t palette;
  uint8_t start_row;
  uint8_t reserved[14];
  uint16_t row_bytes[16];
  uint8_t rows[16];
};
static_assert(sizeof(TileConfiguration) == 64);

// Tiles 0 … 3 hold sums of [query tile][group], 4 and 5 the query, 6 and 7 the documents.
alignas(64) constexpr TileConfiguration kConfiguration = {
    1, 0, {}, {64, 64, 64, 64, 64, 64, 64, 64}, {16, 16, 16, 16, 16, 16, 16, 16}};

size_t Quads(size_t dims) { return (dims + 3) / 4; }
size_t GroupBytes(size_t quads) { return (quads + 1) * kQuadBytes; }

// Sums as a tile is stored: [query vector][lane].
struct alignas(64) Sums {
  int32_t of[2][2][kTileRows][kLanes];  // [query tile][group]
};

// The last quads of a group as a whole tile; what is beyond them meets zeros of the query.
struct alignas(64) Tail {
  uint8_t bytes[kTileBytes];
};

// The compiler does not know what tile loads read.
void StoresAreDone() { asm volatile("" ::: "memory"); }

// Adds 64 dims: one multiplication for every pair of a query tile and a group.
template <bool kTwoTiles, bool kTwoGroups>
void MultiplyChunk(const int8_t* query, size_t stride, const uint8_t* first,
                   const uint8_t* second) {
  _tile_loadd(4, query, stride);
  _tile_loadd(6, first, kQuadBytes);
  _tile_dpbsud(0, 4, 6);
  if constexpr (kTwoGroups) {
    _tile_loadd(7, second, kQuadBytes);
    _tile_dpbsud(1, 4, 7);
  }
  if constexpr (kTwoTiles) {
    _tile_loadd(5, query + kTileRows * stride, stride);
    _tile_dpbsud(2, 5, 6);
    if constexpr (kTwoGroups) _tile_dpbsud(3, 5, 7);
  }
}

template <bool kTwoTiles, bool kTwoGroups>
void StoreSums(Sums& sums) {
  _tile_stored(0, sums.of[0][0], kQuadBytes);
  if constexpr (kTwoGroups) _tile_stored(1, sums.of[0][1], kQuadBytes);
  if constexpr (kTwoTiles) {
    _tile_stored(2, sums.of[1][0], kQuadBytes);
    if constexpr (kTwoGroups) _tile_stored(3, sums.of[1][1], kQuadBytes);
  }
}

// Dot products, less their starts, of one or two query tiles with one or two groups.
template <bool kTwoTiles, bool kTwoGroups>
void Multiply(const int8_t* query, size_t stride, const uint8_t* groups, size_t quads,
              const Tail* tails, Sums& sums) {
  _tile_zero(0);
  _tile_zero(1);
  _tile_zero(2);
  _tile_zero(3);
  const uint8_t* second = groups + GroupBytes(quads);
  const size_t whole = quads / kTileRows;
  for (size_t chunk = 0; chunk < whole; ++chunk) {
    const size_t at = chunk * kTileBytes;
    MultiplyChunk<kTwoTiles, kTwoGroups>(query + chunk * kQuadBytes, stride, groups + at,
                                         second + at);
  }
  if (quads % kTileRows != 0) {
    MultiplyChunk<kTwoTiles, kTwoGroups>(query + whole * kQuadBytes, stride, tails[0].bytes,
                                         tails[1].bytes);
  }
  StoreSums<kTwoTiles, kTwoGroups>(sums);
}

// Takes the sums of `rows` ≤ 16 query vectors with one group into `best`.
void TakeMax(const int32_t (*sums)[kLanes], const int32_t* starts, size_t rows, __m512 scales,
             float* best) {
  for (size_t r = 0; r < rows; ++r) {
    const __m512i dots = _mm512_add_epi32(_mm512_load_si512(sums[r]), _mm512_set1_epi32(starts[r]));
    const __m512 value = _mm512_mul_ps(_mm512_cvtepi32_ps(dots), scales);
    _mm512_storeu_ps(best + r * kLanes, _mm512_max_ps(value, _mm512_loadu_ps(best + r * kLanes)));
  }
}

// As TakeMax, and the vectors' numbers, of which `first_vector` is the group's first.
void TakeBest(const int32_t (*sums)[kLanes], const int32_t* starts, size_t rows, __m512 scales,
              uint32_t first_vector, float* best, uint32_t* best_vector) {
  const __m512i vectors =
      _mm512_add_epi32(_mm512_set1_epi32(static_cast<int32_t>(first_vector)),
                       _mm512_setr_epi32(0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15));
  for (size_t r = 0; r < rows; ++r) {
    const __m512i dots = _mm512_add_epi32(_mm512_load_si512(sums[r]), _mm512_set1_epi32(starts[r]));
    const __m512 value = _mm512_mul_ps(_mm512_cvtepi32_ps(dots), scales);
    const __mmask16 greater =
        _mm512_cmp_ps_mask(value, _mm512_loadu_ps(best + r * kLanes), _CMP_GT_OQ);
    _mm512_mask_storeu_ps(best + r * kLanes, greater, value);
    _mm512_mask_storeu_epi32(best_vector + r * kLanes, greater, vectors);
  }
}

// All query vectors with one or two groups; `take(sums, first row, rows, scales, group)` gets what
// comes out, for every query tile the groups in their order.
template <bool kTwoGroups, typename Take>
void MultiplyGroups(const QueryRows& query, const uint8_t* groups, size_t quads, Tail* tails,
                    Sums& sums, const Take& take) {
  constexpr size_t kGroups = kTwoGroups ? 2 : 1;
  const size_t tail_bytes = quads % kTileRows * kQuadBytes;
  __m512 scales[kGroups];
  for (size_t g = 0; g < kGroups; ++g) {
    const uint8_t* group = groups + g * GroupBytes(quads);
    const uint8_t* end = group + quads * kQuadBytes;
    scales[g] = _mm512_loadu_ps(end);
    memcpy(tails[g].bytes, end - tail_bytes, tail_bytes);
    for (size_t at = 0; at < GroupBytes(quads); at += kQuadBytes) {
      __builtin_prefetch(group + at + kAheadBytes, 0, 2);
    }
  }
  StoresAreDone();
  for (size_t row = 0; row < query.count; row += 2 * kTileRows) {
    const int8_t* codes = query.codes + row * query.stride;
    const size_t left = query.count - row;
    if (left > kTileRows) {
      Multiply<true, kTwoGroups>(codes, query.stride, groups, quads, tails, sums);
    } else {
      Multiply<false, kTwoGroups>(codes, query.stride, groups, quads, tails, sums);
    }
    for (size_t tile = 0; tile * kTileRows < left && tile < 2; ++tile) {
      const size_t first = row + tile * kTileRows;
      const size_t rows = query.count - first < kTileRows ? query.count - first : kTileRows;
      for (size_t g = 0; g < kGroups; ++g) {
        take(sums.of[tile][g], first, rows, scales[g], g);
      }
    }
  }
}

// All query vectors with all groups.
template <typename Take>
void MultiplyAll(const QueryRows& query, const uint8_t* groups, size_t group_count, size_t dims,
                 const Take& take) {
  const size_t quads = Quads(dims);
  Tail tails[2] = {};
  Sums sums;
  _tile_loadconfig(&kConfiguration);
  for (size_t g = 0; g < group_count; g += 2) {
    const uint8_t* from = groups + g * GroupBytes(quads);
    const auto take_from = [&](const int32_t(*of)[kLanes], size_t row, size_t rows, __m512 scales,
                               size_t group) { take(of, row, rows, scales, g + group); };
    if (g + 1 < group_count) {
      MultiplyGroups<true>(query, from, quads, tails, sums, take_from);
    } else {
      MultiplyGroups<false>(query, from, quads, tails, sums, take_from);
    }
  }
  _tile_release();
}

void MaxDots(const QueryRows* query, const uint8_t* groups, size_t group_count, size_t dims,
             float* best) {
  if (query->count < kFewestRows) {
    kAvx512Kernels.max_dots(query, groups, group_count, dims, best);
    return;
  }
  MultiplyAll(*query, groups, group_count, dims,
              [&](const int32_t(*sums)[kLanes], size_t row, size_t rows, __m512 scales, size_t) {
                TakeMax(sums, query->starts + row, rows, scales, best + row * kLanes);
              });
}

void BestDots(const QueryRows* query, const uint8_t* groups, size_t group_count, size_t dims,
              float* best, uint32_t* best_vector) {
  if (query->count < kFewestRows) {
    kAvx512Kernels.best_dots(query, groups, group_count, dims, best, best_vector);
    return;
  }
  MultiplyAll(
      *query, groups, group_count, dims,
      [&](const int32_t(*sums)[kLanes], size_t row, size_t rows, __m512 scales, size_t group) {
        TakeBest(sums, query->starts + row, rows, scales, static_cast<uint32_t>(group * kLanes),
                 best + row * kLanes, best_vector + row * kLanes);
      });
}

// One group at a time is no work for tiles.
void Dots(const QueryRows* query, const uint8_t* group, size_t dims, float* values) {
  kAvx512Kernels.dots(query, group, dims, values);
}

float DotF32(const float* a, const float* b, size_t dims) {
  return kAvx512Kernels.dot_f32(a, b, dims);
}

}  // namespace

const KernelTable kAmxKernels = {
    .name = "amx",
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
