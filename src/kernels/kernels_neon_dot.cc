// NEON with the dot product instructions of Armv8.2: sdot multiplies signed bytes and adds four
// products to an int32. A group is four registers a quad of dims, each four vectors.
#include <arm_neon.h>
#include <string.h>

#include "kernels/kernel_table.h"

namespace sightline::kernels {
namespace {

constexpr size_t kLanes = 16;
constexpr size_t kQuadBytes = 64;  // Four dims of 16 vectors.
constexpr size_t kParts = 4;       // Registers of a quad, each four vectors.
constexpr size_t kAheadBytes = 4096;
constexpr size_t kTileRows = 4;  // Query vectors at a time: 16 accumulators.

size_t Quads(size_t dims) { return (dims + 3) / 4; }

int8x16_t BroadcastQuad(const int8_t* at) {
  int32_t four;
  memcpy(&four, at, sizeof(four));
  return vreinterpretq_s8_s32(vdupq_n_s32(four));
}

// The stored code + 128 as the signed code.
int8x16_t Codes(const uint8_t* at) {
  return vreinterpretq_s8_u8(veorq_u8(vld1q_u8(at), vdupq_n_u8(128)));
}

// Values of `kRows` query vectors from `row` on with a group, [row][part].
template <size_t kRows>
[[gnu::always_inline]] inline void TileValues(const QueryRows& query, size_t row,
                                              const uint8_t* group, size_t quads,
                                              float32x4_t (*values)[kParts]) {
  const int8_t* codes = query.codes + row * query.stride;
  int32x4_t sums[kRows][kParts];
#pragma GCC unroll 8
  for (size_t r = 0; r < kRows; ++r) {
#pragma GCC unroll 8
    for (size_t part = 0; part < kParts; ++part) sums[r][part] = vdupq_n_s32(0);
  }
  for (size_t quad = 0; quad < quads; ++quad) {
    const uint8_t* at = group + quad * kQuadBytes;
    __builtin_prefetch(at + kAheadBytes, 0, 2);
#pragma GCC unroll 8
    for (size_t part = 0; part < kParts; ++part) {
      const int8x16_t documents = Codes(at + part * 16);
#pragma GCC unroll 8
      for (size_t r = 0; r < kRows; ++r) {
        const int8x16_t four = BroadcastQuad(codes + r * query.stride + quad * 4);
        sums[r][part] = vdotq_s32(sums[r][part], documents, four);
      }
    }
  }
  const auto* scales = reinterpret_cast<const float*>(group + quads * kQuadBytes);
#pragma GCC unroll 8
  for (size_t r = 0; r < kRows; ++r) {
#pragma GCC unroll 8
    for (size_t part = 0; part < kParts; ++part) {
      values[r][part] = vmulq_f32(vcvtq_f32_s32(sums[r][part]), vld1q_f32(scales + part * 4));
    }
  }
}

template <size_t kRows>
void DotsTile(const QueryRows& query, size_t row, const uint8_t* group, size_t quads, float* out) {
  float32x4_t values[kRows][kParts];
  TileValues<kRows>(query, row, group, quads, values);
  for (size_t i = 0; i < kRows * kParts; ++i) {
    vst1q_f32(out + row * kLanes + i * 4, values[i / kParts][i % kParts]);
  }
}

template <size_t kRows>
void MaxTile(const QueryRows& query, size_t row, const uint8_t* group, size_t quads, float* best) {
  float32x4_t values[kRows][kParts];
  TileValues<kRows>(query, row, group, quads, values);
  for (size_t i = 0; i < kRows * kParts; ++i) {
    float* top = best + row * kLanes + i * 4;
    vst1q_f32(top, vmaxq_f32(values[i / kParts][i % kParts], vld1q_f32(top)));
  }
}

// As MaxTile; `first_vector` is the number of the group's first vector.
template <size_t kRows>
void BestTile(const QueryRows& query, size_t row, const uint8_t* group, size_t quads,
              uint32_t first_vector, float* best, uint32_t* best_vector) {
  constexpr uint32_t kFirstLanes[4] = {0, 1, 2, 3};
  float32x4_t values[kRows][kParts];
  TileValues<kRows>(query, row, group, quads, values);
  const uint32x4_t vectors = vaddq_u32(vdupq_n_u32(first_vector), vld1q_u32(kFirstLanes));
  for (size_t i = 0; i < kRows * kParts; ++i) {
    float* top = best + row * kLanes + i * 4;
    uint32_t* vector = best_vector + row * kLanes + i * 4;
    const float32x4_t value = values[i / kParts][i % kParts];
    const uint32x4_t part = vaddq_u32(vectors, vdupq_n_u32(static_cast<uint32_t>(i % kParts * 4)));
    const uint32x4_t greater = vcgtq_f32(value, vld1q_f32(top));
    vst1q_f32(top, vbslq_f32(greater, value, vld1q_f32(top)));
    vst1q_u32(vector, vbslq_u32(greater, part, vld1q_u32(vector)));
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
  for (size_t g = 0; g < group_count; ++g) {
    const uint8_t* group = groups + g * (quads + 1) * kQuadBytes;
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
  for (size_t g = 0; g < group_count; ++g) {
    const uint8_t* group = groups + g * (quads + 1) * kQuadBytes;
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
  return kNeonKernels.dot_f32(a, b, dims);
}

}  // namespace

const KernelTable kNeonDotKernels = {
    .name = "neon_dot",
    .dots = Dots,
    .max_dots = MaxDots,
    .best_dots = BestDots,
    .dot_f32 = DotF32,
    .max_dots_f32 = MaxDotsF32Neon,
    .max_dots_f16 = MaxDotsF16Neon,
    .pq4_max = Pq4MaxNeon,
    .pq4_best = Pq4BestNeon,
    .hamming_best = HammingBestNeon,
};

}  // namespace sightline::kernels
