#include "base/random.h"

#include <sys/random.h>

#include <algorithm>
#include <bit>
#include <cerrno>
#include <cstring>

#include "base/check.h"

namespace sightline::base {
namespace {

class KernelRandom final : public RandomSource {
 public:
  void Fill(std::span<std::byte> out) override {
    while (!out.empty()) {
      const ssize_t got = getrandom(out.data(), out.size(), 0);
      if (got < 0 && errno == EINTR) continue;
      // Only a bad address or a kernel before 3.17 makes getrandom fail.
      CHECK(got > 0, "getrandom");
      out = out.subspan(static_cast<size_t>(got));
    }
  }
};

}  // namespace

uint64_t RandomSource::NextUint64() {
  std::array<std::byte, sizeof(uint64_t)> bytes;
  Fill(bytes);
  return std::bit_cast<uint64_t>(bytes);
}

RandomSource& SystemRandom() {
  static KernelRandom random;
  return random;
}

void SeededRandom::Fill(std::span<std::byte> out) {
  MutexLock lock(mutex_);
  while (!out.empty()) {
    state_ += 0x9E3779B97F4A7C15;
    uint64_t z = state_;
    z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9;
    z = (z ^ (z >> 27)) * 0x94D049BB133111EB;
    z ^= z >> 31;
    const size_t size = std::min(out.size(), sizeof(z));
    std::memcpy(out.data(), &z, size);
    out = out.subspan(size);
  }
}

}  // namespace sightline::base
