#include "kernels/kernel_table.h"

namespace sightline::kernels {
namespace {

constexpr size_t kLanes = 16;
constexpr size_t kQuadBytes = 64;  // Four dims of 16 vectors.

size_t Quads(size_t dims) { return (dims + 3) / 4; }

void GroupSums(const int8_t* row, int32_t start, const uint8_t* group, size_t quads,
               int32_t* sums) {
  for (size_t lane = 0; lane < kLanes; ++lane) sums[lane] = start;
  for (size_t quad = 0; quad < quads; ++quad) {
    const uint8_t* codes = group + quad * kQuadBytes;
    for (size_t lane = 0; lane < kLanes; ++lane) {
      for (size_t i = 0; i < 4; ++i) {
        sums[lane] += int32_t{codes[lane * 4 + i]} * int32_t{row[quad * 4 + i]};
      }
    }
  }
}

void Dots(const QueryRows* query, const uint8_t* group, size_t dims, float* values) {
  const size_t quads = Quads(dims);
  const auto* scales = reinterpret_cast<const float*>(group + quads * kQuadBytes);
  for (size_t q = 0; q < query->count; ++q) {
    int32_t sums[kLanes];
    GroupSums(query->codes + q * query->stride, query->starts[q], group, quads, sums);
    for (size_t lane = 0; lane < kLanes; ++lane) {
      values[q * kLanes + lane] = static_cast<float>(sums[lane]) * scales[lane];
    }
  }
}

void MaxDots(const QueryRows* query, const uint8_t* groups, size_t group_count, size_t dims,
             float* best) {
  const size_t quads = Quads(dims);
  for (size_t g = 0; g < group_count; ++g) {
    const uint8_t* group = groups + g * (quads + 1) * kQuadBytes;
    const auto* scales = reinterpret_cast<const float*>(group + quads * kQuadBytes);
    for (size_t q = 0; q < query->count; ++q) {
      int32_t sums[kLanes];
      GroupSums(query->codes + q * query->stride, query->starts[q], group, quads, sums);
      float* top = best + q * kLanes;
      for (size_t lane = 0; lane < kLanes; ++lane) {
        const float value = static_cast<float>(sums[lane]) * scales[lane];
        top[lane] = value > top[lane] ? value : top[lane];
      }
    }
  }
}

void BestDots(const QueryRows* query, const uint8_t* groups, size_t group_count, size_t dims,
              float* best, uint32_t* best_vector) {
  const size_t quads = Quads(dims);
  for (size_t g = 0; g < group_count; ++g) {
    const uint8_t* group = groups + g * (quads + 1) * kQuadBytes;
    const auto* scales = reinterpret_cast<const float*>(group + quads * kQuadBytes);
    for (size_t q = 0; q < query->count; ++q) {
      int32_t sums[kLanes];
      GroupSums(query->codes + q * query->stride, query->starts[q], group, quads, sums);
      for (size_t lane = 0; lane < kLanes; ++lane) {
        const float value = static_cast<float>(sums[lane]) * scales[lane];
        if (value > best[q * kLanes + lane]) {
          best[q * kLanes + lane] = value;
          best_vector[q * kLanes + lane] = static_cast<uint32_t>(g * kLanes + lane);
        }
      }
    }
  }
}

float DotF32(const float* a, const float* b, size_t dims) {
  float sum = 0;
  for (size_t i = 0; i < dims; ++i) sum += a[i] * b[i];
  return sum;
}

}  // namespace

const KernelTable kScalarKernels = {
    .name = "scalar",
    .dots = Dots,
    .max_dots = MaxDots,
    .best_dots = BestDots,
    .dot_f32 = DotF32,
    .max_dots_f32 = MaxDotsF32Scalar,
    .max_dots_f16 = MaxDotsF16Scalar,
    .pq4_max = Pq4MaxScalar,
    .pq4_best = Pq4BestScalar,
    .hamming_best = HammingBestScalar,
};

}  // namespace sightline::kernels
