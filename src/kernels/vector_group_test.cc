#include "kernels/vector_group.h"

#include <gtest/gtest.h>

#include <vector>

namespace sightline::kernels {
namespace {

TEST(VectorGroupTest, BytesLieWhereTheFormatSays) {
  constexpr std::size_t kDims = 6;
  ASSERT_EQ(GroupBytes(kDims), 3U * 64);
  std::vector<std::uint8_t> group(GroupBytes(kDims));
  ClearGroup(kDims, group.data());
  const std::vector<std::int8_t> codes = {1, -2, 3, -127, 127, -1};
  StoreVector(codes, 0.5F, 7, group.data());
  EXPECT_EQ(group[7 * 4 + 0], 129);
  EXPECT_EQ(group[7 * 4 + 3], 1);
  EXPECT_EQ(group[64 + 7 * 4 + 0], 255);
  EXPECT_EQ(group[64 + 7 * 4 + 1], 127);
  EXPECT_EQ(group[64 + 7 * 4 + 2], 128) << "a dim beyond the last has code 0";
  EXPECT_EQ(group[8 * 4], 128) << "a lane without a vector has code 0";
  EXPECT_EQ(GroupScales(group.data(), kDims)[7], 0.5F);
  EXPECT_EQ(GroupScales(group.data(), kDims)[8], 0.0F);
}

TEST(VectorGroupTest, VectorsComeBack) {
  for (const std::size_t dims : {1U, 3U, 4U, 5U, 128U}) {
    std::vector<std::uint8_t> group(GroupBytes(dims));
    ClearGroup(dims, group.data());
    for (std::size_t lane = 0; lane < kGroupLanes; ++lane) {
      std::vector<std::int8_t> codes(dims, static_cast<std::int8_t>(lane * 8));
      StoreVector(codes, static_cast<float>(lane), lane, group.data());
    }
    for (std::size_t lane = 0; lane < kGroupLanes; ++lane) {
      std::vector<std::int8_t> codes(dims);
      EXPECT_EQ(LoadVector(group.data(), lane, codes), static_cast<float>(lane));
      EXPECT_EQ(codes, std::vector<std::int8_t>(dims, static_cast<std::int8_t>(lane * 8)));
    }
  }
}

TEST(VectorGroupTest, CountsRoundUp) {
  EXPECT_EQ(GroupCount(0), 0U);
  EXPECT_EQ(GroupCount(1), 1U);
  EXPECT_EQ(GroupCount(16), 1U);
  EXPECT_EQ(GroupCount(17), 2U);
}

}  // namespace
}  // namespace sightline::kernels
