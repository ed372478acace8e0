#include "base/check.h"

#include <gtest/gtest.h>

#include <string>

namespace sightline::base {
namespace {

TEST(CheckDeathTest, AFailureNamesPlaceConditionAndMessage) {
  GTEST_FLAG_SET(death_test_style, "threadsafe");
  EXPECT_DEATH(CHECK(1 + 1 == 3, "arithmetic: " + std::to_string(2)),
               "check_test.cc:[0-9]+: CHECK failed: 1 \\+ 1 == 3: arithmetic: 2");
}

TEST(CheckTest, AMessageIsNotEvaluatedWhenTheConditionHolds) {
  int evaluated = 0;
  const auto message = [&] {
    ++evaluated;
    return std::string("unused");
  };
  CHECK(true, message());
  DCHECK(true, message());
  EXPECT_EQ(evaluated, 0);
}

}  // namespace
}  // namespace sightline::base
