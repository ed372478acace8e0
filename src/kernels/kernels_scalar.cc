#include "kernels/kernel_table.h"

namespace sightline::kernels {
namespace {

int32_t Dot(const int8_t* a, const int8_t* b, size_t dims) {
  int32_t sum = 0;
  for (size_t i = 0; i < dims; ++i) sum += int32_t{a[i]} * int32_t{b[i]};
  return sum;
}

void Dots(const int8_t* query, const int8_t* rows, size_t count, size_t dims, int32_t* out) {
  for (size_t i = 0; i < count; ++i) out[i] = Dot(query, rows + i * dims, dims);
}

size_t PackedBytes(size_t count, size_t dims) { return count * dims; }

void Pack(const int8_t* queries, size_t count, size_t dims, void* packed) {
  auto* out = static_cast<int8_t*>(packed);
  for (size_t i = 0; i < count * dims; ++i) out[i] = queries[i];
}

void MaxDots(const void* packed, size_t count, const int8_t* rows, const float* scales,
             size_t row_count, size_t dims, float* best) {
  const auto* queries = static_cast<const int8_t*>(packed);
  for (size_t row = 0; row < row_count; ++row) {
    for (size_t q = 0; q < count; ++q) {
      const int32_t dot = Dot(queries + q * dims, rows + row * dims, dims);
      const float value = static_cast<float>(dot) * scales[row];
      if (value > best[q]) best[q] = value;
    }
  }
}

float DotF32(const float* a, const float* b, size_t dims) {
  float sum = 0;
  for (size_t i = 0; i < dims; ++i) sum += a[i] * b[i];
  return sum;
}

}  // namespace

const KernelTable kScalarKernels = {"scalar", Dots, PackedBytes, Pack, MaxDots, DotF32};

}  // namespace sightline::kernels
