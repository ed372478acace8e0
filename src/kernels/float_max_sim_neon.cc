// NEON: 4 query vectors a register, of which 4 or 16 are transposed once for all documents; a
// number of a document is broadcast and multiplied with them. Four documents at a time: 16 sums.
#include <arm_neon.h>
#include <string.h>

#include "kernels/float_max_sim.h"

namespace sightline::kernels {
namespace {

constexpr size_t kLanes = 4;
constexpr size_t kPanelRows = 16;
constexpr size_t kTileVectors = 4;
// So that nothing here grows with the documents or the dims.
constexpr size_t kBlockVectors = 128;
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

// Transposes four rows from `first` on; those beyond `rows` repeat the last one.
void PackRegister(const float* query, size_t first, size_t rows, size_t stride, size_t dims,
                  float* panel) {
  const float* row[kLanes];
  for (size_t r = 0; r < kLanes; ++r) row[r] = query + Min(first + r, rows - 1) * stride;
  size_t dim = 0;
  for (; dim + 4 <= dims; dim += 4) {
    const float32x4x2_t ab = vtrnq_f32(vld1q_f32(row[0] + dim), vld1q_f32(row[1] + dim));
    const float32x4x2_t cd = vtrnq_f32(vld1q_f32(row[2] + dim), vld1q_f32(row[3] + dim));
    for (size_t i = 0; i < 2; ++i, panel += kPanelRows) {
      const auto low_ab = vget_low_f32(ab.val[i]);
      const auto high_ab = vget_high_f32(ab.val[i]);
      vst1q_f32(panel, vcombine_f32(low_ab, vget_low_f32(cd.val[i])));
      vst1q_f32(panel + 2 * kPanelRows, vcombine_f32(high_ab, vget_high_f32(cd.val[i])));
    }
    panel += 2 * kPanelRows;
  }
  for (; dim < dims; ++dim, panel += kPanelRows) {
    for (size_t r = 0; r < kLanes; ++r) panel[r] = row[r][dim];
  }
}

const float* Floats(const float* vector, size_t, float*) { return vector; }

const float* Floats(const uint16_t* vector, size_t dims, float* scratch) {
  for (size_t i = 0; i < dims; i += kLanes) {
    uint16_t last[kLanes] = {};
    const uint16_t* four = vector + i;
    if (dims - i < kLanes) {
      memcpy(last, four, (dims - i) * sizeof(*last));
      four = last;
    }
    vst1q_f32(scratch + i, vcvt_f32_f16(vreinterpret_f16_u16(vld1_u16(four))));
  }
  return scratch;
}

// Adds the products of kTileVectors documents over `dims`.
template <size_t kRegisters>
void AddTile(const float* const* vectors, const float* panel, size_t dims,
             float (*sums)[kPanelRows]) {
  float32x4_t sum[kTileVectors][kRegisters];
#pragma GCC unroll 4
  for (size_t v = 0; v < kTileVectors; ++v) {
#pragma GCC unroll 4
    for (size_t k = 0; k < kRegisters; ++k) sum[v][k] = vld1q_f32(sums[v] + k * kLanes);
  }
  for (size_t dim = 0; dim < dims; ++dim, panel += kPanelRows) {
    float32x4_t rows[kRegisters];
#pragma GCC unroll 4
    for (size_t k = 0; k < kRegisters; ++k) rows[k] = vld1q_f32(panel + k * kLanes);
#pragma GCC unroll 4
    for (size_t v = 0; v < kTileVectors; ++v) {
      const float32x4_t number = vdupq_n_f32(vectors[v][dim]);
#pragma GCC unroll 4
      for (size_t k = 0; k < kRegisters; ++k) {
        sum[v][k] = vfmaq_f32(sum[v][k], rows[k], number);
      }
    }
  }
#pragma GCC unroll 4
  for (size_t v = 0; v < kTileVectors; ++v) {
#pragma GCC unroll 4
    for (size_t k = 0; k < kRegisters; ++k) vst1q_f32(sums[v] + k * kLanes, sum[v][k]);
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

// At most kRegisters × 4 query vectors with all documents.
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
#pragma GCC unroll 4
      for (size_t k = 0; k < kRegisters * kLanes; k += kLanes) {
        vst1q_f32(top + k, vmaxq_f32(vld1q_f32(sums.of[v] + k), vld1q_f32(top + k)));
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
      MaxPanel<4>(query + row * dims, left, vectors, count, dims, best + row);
    } else {
      MaxPanel<1>(query + row * dims, left, vectors, count, dims, best + row);
    }
  }
}

}  // namespace

void MaxDotsF32Neon(const float* query, size_t rows, const float* vectors, size_t count,
                    size_t dims, float* best) {
  MaxDots(query, rows, vectors, count, dims, best);
}

void MaxDotsF16Neon(const float* query, size_t rows, const uint16_t* vectors, size_t count,
                    size_t dims, float* best) {
  MaxDots(query, rows, vectors, count, dims, best);
}

}  // namespace sightline::kernels
