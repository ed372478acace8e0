#include "base/status.h"

#include <gtest/gtest.h>

#include <cerrno>
#include <memory>

#include "base/result.h"

namespace sightline::base {
namespace {

TEST(StatusTest, ContextGoesBeforeTheMessage) {
  const Status status = NotFound("no such document: 42").WithContext("remove");
  EXPECT_EQ(status.ToString(), "not_found: remove: no such document: 42");
  EXPECT_TRUE(OkStatus().WithContext("anything").ok());
}

TEST(StatusTest, ErrnoTextIsAppended) {
  EXPECT_EQ(IoError("cannot open x", ENOENT).message(), "cannot open x: No such file or directory");
}

Result<std::unique_ptr<int>> Half(int value) {
  if (value % 2 != 0) return InvalidArgument("odd: " + std::to_string(value));
  return std::make_unique<int>(value / 2);
}

Result<int> Quarter(int value) {
  SIGHTLINE_ASSIGN_OR_RETURN(const auto half, Half(value));
  SIGHTLINE_ASSIGN_OR_RETURN(const auto quarter, Half(*half));
  return *quarter;
}

TEST(ResultTest, ValuesMoveThroughAndFailuresReturnEarly) {
  EXPECT_EQ(*Quarter(12), 3);
  EXPECT_EQ(Quarter(6).status().message(), "odd: 3");
  EXPECT_EQ(Quarter(5).ValueOr(-1), -1);
}

}  // namespace
}  // namespace sightline::base
