// AVX2: 8 query vectors a register, of which 8 or 16 are transposed once for all documents; a
// number of a document is broadcast and multiplied with them. Six documents at a time: 12 sums.
#include <immintrin.h>
#include <string.h>

#include "kernels/float_max_sim.h"

namespace sightline::kernels {
namespace {

constexpr size_t kLanes = 8;
constexpr size_t kPanelRows = 16;
constexpr size_t kTileVectors = 6;
// So that nothing here grows with the documents or the dims.
constexpr size_t kBlockVectors = 120;
constexpr size_t kChunkDims = 512;

// Query vectors, [dim][row].
struct alignas(64) Panel {
  float at[kChunkDims * kPanelRows];
};

// Dot products with a block of documents.
struct alignas(64) Sums {
  float of[kBlockVectors][kPanelRows];
};

// Documents of a tile as float, if they are not stored so.
struct alignas(64) Scratch {
  float of[kTileVectors][kChunkDims];
};

size_t Min(size_t a, size_t b) { return a < b ? a : b; }

__m256 FourOf(const float* const* rows, size_t dim) {
  return _mm256_insertf128_ps(_mm256_castps128_ps256(_mm_loadu_ps(rows[0] + dim)),
                              _mm_loadu_ps(rows[4] + dim), 1);
}

// Transposes eight rows from `first` on; those beyond `rows` repeat the last one.
void PackRegister(const float* query, size_t first, size_t rows, size_t stride, size_t dims,
                  float* panel) {
  const float* row[kLanes];
  for (size_t r = 0; r < kLanes; ++r) row[r] = query + Min(first + r, rows - 1) * stride;
  size_t dim = 0;
  for (; dim + 4 <= dims; dim += 4, panel += 4 * kPanelRows) {
    const __m256 a = FourOf(row, dim);
    const __m256 b = FourOf(row + 1, dim);
    const __m256 c = FourOf(row + 2, dim);
    const __m256 d = FourOf(row + 3, dim);
    const __m256 low_ab = _mm256_unpacklo_ps(a, b);
    const __m256 high_ab = _mm256_unpackhi_ps(a, b);
    const __m256 low_cd = _mm256_unpacklo_ps(c, d);
    const __m256 high_cd = _mm256_unpackhi_ps(c, d);
    _mm256_store_ps(panel, _mm256_shuffle_ps(low_ab, low_cd, 0x44));
    _mm256_store_ps(panel + kPanelRows, _mm256_shuffle_ps(low_ab, low_cd, 0xEE));
    _mm256_store_ps(panel + 2 * kPanelRows, _mm256_shuffle_ps(high_ab, high_cd, 0x44));
    _mm256_store_ps(panel + 3 * kPanelRows, _mm256_shuffle_ps(high_ab, high_cd, 0xEE));
  }
  for (; dim < dims; ++dim, panel += kPanelRows) {
    for (size_t r = 0; r < kLanes; ++r) panel[r] = row[r][dim];
  }
}

const float* Floats(const float* vector, size_t, float*) { return vector; }

const float* Floats(const uint16_t* vector, size_t dims, float* scratch) {
  for (size_t i = 0; i < dims; i += kLanes) {
    uint16_t last[kLanes] = {};
    const uint16_t* eight = vector + i;
    if (dims - i < kLanes) {
      memcpy(last, eight, (dims - i) * sizeof(*last));
      eight = last;
    }
    const __m128i halves = _mm_loadu_si128(reinterpret_cast<const __m128i*>(eight));
    _mm256_store_ps(scratch + i, _mm256_cvtph_ps(halves));
  }
  return scratch;
}

// Adds the products of kTileVectors documents over `dims`.
template <size_t kRegisters>
void AddTile(const float* const* vectors, const float* panel, size_t dims,
             float (*sums)[kPanelRows]) {
  __m256 sum[kTileVectors][kRegisters];
#pragma GCC unroll 6
  for (size_t v = 0; v < kTileVectors; ++v) {
#pragma GCC unroll 2
    for (size_t k = 0; k < kRegisters; ++k) sum[v][k] = _mm256_load_ps(sums[v] + k * kLanes);
  }
  for (size_t dim = 0; dim < dims; ++dim, panel += kPanelRows) {
    __m256 rows[kRegisters];
#pragma GCC unroll 2
    for (size_t k = 0; k < kRegisters; ++k) rows[k] = _mm256_load_ps(panel + k * kLanes);
#pragma GCC unroll 6
    for (size_t v = 0; v < kTileVectors; ++v) {
      const __m256 number = _mm256_set1_ps(vectors[v][dim]);
#pragma GCC unroll 2
      for (size_t k = 0; k < kRegisters; ++k) {
        sum[v][k] = _mm256_fmadd_ps(rows[k], number, sum[v][k]);
      }
    }
  }
#pragma GCC unroll 6
  for (size_t v = 0; v < kTileVectors; ++v) {
#pragma GCC unroll 2
    for (size_t k = 0; k < kRegisters; ++k) _mm256_store_ps(sums[v] + k * kLanes, sum[v][k]);
  }
}

// Adds the products of a block over `dims`; beyond `count` a tile repeats the last document.
template <size_t kRegisters, typename Value>
void AddBlock(const Value* vectors, size_t count, size_t stride, const Panel& panel, size_t dims,
              Sums& sums) {
  Scratch scratch;
  for (size_t first = 0; first < count; first += kTileVectors) {
    const float* tile[kTileVectors];
    for (size_t v = 0; v < kTileVectors; ++v) {
      tile[v] = Floats(vectors + Min(first + v, count - 1) * stride, dims, scratch.of[v]);
    }
    AddTile<kRegisters>(tile, panel.at, dims, sums.of + first);
  }
}

// At most kRegisters × 8 query vectors with all documents.
template <size_t kRegisters, typename Value>
void MaxPanel(const float* query, size_t rows, const Value* vectors, size_t count, size_t dims,
              float* best) {
  Panel panel;
  Sums sums;
  alignas(64) float top[kPanelRows] = {};
  memcpy(top, best, rows * sizeof(float));
  for (size_t first = 0; first < count; first += kBlockVectors) {
    const size_t block = Min(count - first, kBlockVectors);
    memset(&sums, 0, sizeof(sums));
    for (size_t dim = 0; dim < dims; dim += kChunkDims) {
      const size_t chunk = Min(dims - dim, kChunkDims);
      for (size_t k = 0; k < kRegisters && (first == 0 || dims > kChunkDims); ++k) {
        const size_t row = k * kLanes;
        PackRegister(query + dim, row, rows, dims, chunk, panel.at + row);
      }
      AddBlock<kRegisters>(vectors + first * dims + dim, block, dims, panel, chunk, sums);
    }
    for (size_t v = 0; v < block; ++v) {
#pragma GCC unroll 2
      for (size_t k = 0; k < kRegisters * kLanes; k += kLanes) {
        _mm256_store_ps(top + k,
                        _mm256_max_ps(_mm256_load_ps(sums.of[v] + k), _mm256_load_ps(top + k)));
      }
    }
  }
  memcpy(best, top, rows * sizeof(float));
}

template <typename Value>
void MaxDots(const float* query, size_t rows, const Value* vectors, size_t count, size_t dims,
             float* best) {
  for (size_t row = 0; row < rows; row += kPanelRows) {
    const size_t left = Min(rows - row, kPanelRows);
    if (left > kLanes) {
      MaxPanel<2>(query + row * dims, left, vectors, count, dims, best + row);
    } else {
      MaxPanel<1>(query + row * dims, left, vectors, count, dims, best + row);
    }
  }
}

}  // namespace

void MaxDotsF32Avx2(const float* query, size_t rows, const float* vectors, size_t count,
                    size_t dims, float* best) {
  MaxDots(query, rows, vectors, count, dims, best);
}

void MaxDotsF16Avx2(const float* query, size_t rows, const uint16_t* vectors, size_t count,
                    size_t dims, float* best) {
  MaxDots(query, rows, vectors, count, dims, best);
}

}  // namespace sightline::kernels
