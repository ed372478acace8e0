#include "base/nearest_name.h"

#include <gtest/gtest.h>

#include <vector>

namespace sightline::base {
namespace {

TEST(NearestNameTest, DistanceCountsEditsAndSwaps) {
  EXPECT_EQ(EditDistance("kitten", "sitting"), 3U);
  EXPECT_EQ(EditDistance("serach", "search"), 1U);
  EXPECT_EQ(EditDistance("", "abc"), 3U);
  EXPECT_EQ(EditDistance("abc", ""), 3U);
}

TEST(NearestNameTest, ASlipFindsItsNameAndAnotherWordFindsNone) {
  const std::vector<std::string> names = {"data", "listen_port", "log_level", "检索"};
  EXPECT_EQ(NearestName("listen_prot", names), "listen_port");
  EXPECT_EQ(NearestName("Log-Level", names), "log_level");
  EXPECT_EQ(NearestName("检索", names), "检索");
  EXPECT_EQ(NearestName("colour", names), std::nullopt);
  EXPECT_EQ(NearestName(std::string(100'000, 'a'), names), std::nullopt);
  EXPECT_EQ(DidYouMean("dta", names), " (did you mean \"data\"?)");
  EXPECT_EQ(DidYouMean("", names), "");
}

}  // namespace
}  // namespace sightline::base
