// Where random bytes come from: the kernel, or a seed in tests.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>

#include "base/mutex.h"

namespace sightline::base {

/// A source of random bytes. Thread-safe.
class RandomSource {
 public:
  virtual ~RandomSource() = default;
  /// Overwrites every byte of `out`.
  virtual void Fill(std::span<std::byte> out) = 0;
  /// 64 random bits.
  uint64_t NextUint64();
};

/// Cryptographic randomness of the kernel (getrandom). Lives as long as the process.
RandomSource& SystemRandom();

/// The same bytes for the same seed on every machine (SplitMix64, Steele et al. 2014). For tests
/// and for sampling; never for secrets.
class SeededRandom final : public RandomSource {
 public:
  explicit SeededRandom(uint64_t seed) : state_(seed) {}
  void Fill(std::span<std::byte> out) override;

 private:
  Mutex mutex_;
  uint64_t state_ SIGHTLINE_GUARDED_BY(mutex_);
};

}  // namespace sightline::base
