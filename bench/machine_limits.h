// What this machine can do at most, measured in the same run as the kernels.
#pragma once

#include <stddef.h>
#include <stdint.h>

namespace sightline::bench {

/// A loop that does nothing but one kind of arithmetic, in registers.
struct PeakLoop {
  const char* name;
  /// Runs the loop; returns a value that depends on all of it.
  int (*run)(size_t rounds);
  /// Multiplications and additions of one round.
  double operations;
};

#if defined(__x86_64__)
/// vpmaddubsw, vpmaddwd, vpaddd on 256-bit registers. Needs AVX2.
extern const PeakLoop kAvx2Peak;
/// vpdpbusd on 512-bit registers. Needs AVX-512 VNNI.
extern const PeakLoop kVnniPeak;

/// Fused multiplication and addition of floats on 256-bit registers. Needs FMA.
extern const PeakLoop kFmaPeak256;
/// The same on 512-bit registers. Needs AVX-512 F.
extern const PeakLoop kFmaPeak512;

/// Reads `size_bytes`, a multiple of 256, at `data`. Needs AVX2.
int ReadAllAvx2(const uint8_t* data, size_t size_bytes);

/// Dot product of two rows of signed codes, summed across lanes at the end: how a kernel that takes
/// one pair at a time computes. `dims` is a multiple of 32. Needs AVX2.
int32_t PairDotAvx2(const int8_t* a, const int8_t* b, size_t dims);
#endif

}  // namespace sightline::bench
