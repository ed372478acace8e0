#include "model/l2_normalize.h"

#include <gtest/gtest.h>

#include <limits>
#include <vector>

namespace sightline::model {
namespace {

TEST(L2NormalizeTest, GivesLengthOneAndKeepsTheDirection) {
  std::vector<float> vector = {3, 0, -4};
  EXPECT_TRUE(L2Normalize(vector));
  EXPECT_FLOAT_EQ(vector[0], 0.6F);
  EXPECT_FLOAT_EQ(vector[1], 0.0F);
  EXPECT_FLOAT_EQ(vector[2], -0.8F);
}

TEST(L2NormalizeTest, LargeValuesDoNotOverflow) {
  std::vector<float> vector = {3e30F, 4e30F};
  EXPECT_TRUE(L2Normalize(vector));
  EXPECT_FLOAT_EQ(vector[1], 0.8F);
}

TEST(L2NormalizeTest, WhatHasNoDirectionBecomesZero) {
  for (const float value :
       {0.0F, std::numeric_limits<float>::quiet_NaN(), std::numeric_limits<float>::infinity()}) {
    std::vector<float> vector = {value, value};
    EXPECT_FALSE(L2Normalize(vector));
    EXPECT_EQ(vector, (std::vector<float>{0, 0}));
  }
}

}  // namespace
}  // namespace sightline::model
