// Where the log of the process goes.
#include <gtest/gtest.h>
#include <spdlog/spdlog.h>

#include "cmd/program.h"

namespace sightline::cmd {
namespace {

TEST(ProgramLogTest, TheLogNeverStandsAmongTheResults) {
  const Program program;
  ::testing::internal::CaptureStdout();
  ::testing::internal::CaptureStderr();
  spdlog::warn("the disk is nearly full");
  spdlog::default_logger()->flush();
  const std::string output = ::testing::internal::GetCapturedStdout();
  const std::string errors = ::testing::internal::GetCapturedStderr();
  EXPECT_EQ(output, "");
  EXPECT_NE(errors.find("the disk is nearly full"), std::string::npos) << errors;
}

}  // namespace
}  // namespace sightline::cmd
