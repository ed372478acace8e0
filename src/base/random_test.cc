#include "base/random.h"

#include <gtest/gtest.h>

#include <vector>

namespace sightline::base {
namespace {

TEST(RandomTest, ASeedDecidesTheSequence) {
  SeededRandom a(0);
  SeededRandom b(0);
  SeededRandom other(1);
  // The first outputs of the published SplitMix64 for seed 0.
  EXPECT_EQ(a.NextUint64(), 0xE220A8397B1DCDAFU);
  EXPECT_EQ(a.NextUint64(), 0x6E789E6AA1B965F4U);
  EXPECT_NE(other.NextUint64(), b.NextUint64());
}

TEST(RandomTest, TheKernelFillsEverySize) {
  std::vector<std::byte> bytes(1000);
  SystemRandom().Fill(bytes);
  size_t zeros = 0;
  for (const std::byte b : bytes) zeros += b == std::byte{0} ? 1 : 0;
  EXPECT_LT(zeros, 100U);
  SystemRandom().Fill({});
  EXPECT_NE(SystemRandom().NextUint64(), SystemRandom().NextUint64());
}

}  // namespace
}  // namespace sightline::base
