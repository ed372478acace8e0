#include "kernels/quantize_int8.h"

#include <gtest/gtest.h>

#include <cstdlib>
#include <limits>
#include <random>
#include <vector>

namespace sightline::kernels {
namespace {

TEST(QuantizeInt8Test, CodesTimesScaleAreCloseToTheValues) {
  const std::vector<float> vector = {0.5F, -1.0F, 0.003F, 0.25F, 0.7F};
  for (const auto quantize : {QuantizeDocument, QuantizeQuery}) {
    std::vector<std::int8_t> codes(vector.size());
    const float scale = quantize(vector, codes.data());
    EXPECT_EQ(codes[1], -127);
    for (std::size_t i = 0; i < vector.size(); ++i) {
      EXPECT_NEAR(static_cast<float>(codes[i]) * scale, vector[i], scale * 0.501F);
    }
  }
}

TEST(QuantizeInt8Test, QueryPairsOfOneSignStayWithin128) {
  std::mt19937 random(1);
  std::uniform_real_distribution<float> value(-1, 1);
  int largest = 0;
  for (int round = 0; round < 2000; ++round) {
    std::vector<float> vector(7);
    for (float& v : vector) v = value(random);
    if (round % 2 == 0) vector[1] = vector[0];
    std::vector<std::int8_t> codes(vector.size());
    QuantizeQuery(vector, codes.data());
    for (std::size_t i = 0; i + 1 < codes.size(); i += 2) {
      const int sum = codes[i] + codes[i + 1];
      ASSERT_LE(std::abs(sum), 128) << round;
      largest = std::max(largest, std::abs(sum));
    }
  }
  EXPECT_GE(largest, 127) << "the range is used";
}

TEST(QuantizeInt8Test, ZeroAndTinyVectorsHaveScaleZero) {
  for (const auto quantize : {QuantizeDocument, QuantizeQuery}) {
    std::vector<std::int8_t> codes(2, 9);
    EXPECT_EQ(quantize(std::vector<float>{0, 0}, codes.data()), 0.0F);
    EXPECT_EQ(codes, (std::vector<std::int8_t>{0, 0}));
    EXPECT_EQ(quantize(std::vector<float>{1e-42F, 0}, codes.data()), 0.0F);
  }
}

TEST(QuantizeInt8Test, HugeValuesDoNotOverflow) {
  constexpr float kHuge = std::numeric_limits<float>::max();
  std::vector<std::int8_t> codes(2);
  EXPECT_GT(QuantizeDocument(std::vector<float>{kHuge, -kHuge}, codes.data()), 0.0F);
  EXPECT_EQ(codes, (std::vector<std::int8_t>{127, -127}));
  EXPECT_GT(QuantizeQuery(std::vector<float>{kHuge, kHuge}, codes.data()), 0.0F);
  EXPECT_NEAR(codes[0], 63.5, 0.5);
  EXPECT_NEAR(codes[1], 63.5, 0.5);
}

}  // namespace
}  // namespace sightline::kernels
