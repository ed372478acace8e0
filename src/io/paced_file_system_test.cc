#include "io/paced_file_system.h"

#include <gtest/gtest.h>

#include "io/memory_file_system.h"

namespace sightline::io {
namespace {

using std::chrono::milliseconds;
using std::chrono::nanoseconds;

TEST(PacedFileSystemTest, WritersWaitForWhatTheyWrote) {
  MemoryFileSystem files;
  nanoseconds slept{0};
  PacedFileSystem paced(files, 1'000, [&](nanoseconds time) { slept += time; });
  auto first = paced.OpenForWrite("/a", WriteMode::kCreateNew);
  auto second = paced.OpenForWrite("/b", WriteMode::kCreateNew);
  ASSERT_TRUE(first.ok() && second.ok());
  ASSERT_TRUE((*first)->Append(std::string(300, 'a')).ok());
  EXPECT_EQ(slept, milliseconds(300));
  ASSERT_TRUE((*second)->Append(std::string(200, 'b')).ok());
  EXPECT_EQ(slept, milliseconds(500));
  ASSERT_TRUE((*first)->Close().ok());
  EXPECT_EQ(*files.ReadFile("/a", 1'000), std::string(300, 'a'));
  EXPECT_EQ(*paced.ReadFile("/a", 1'000), std::string(300, 'a'));
}

TEST(PacedFileSystemTest, WithoutABoundNobodyWaits) {
  MemoryFileSystem files;
  PacedFileSystem paced(files, 0, [](nanoseconds) { FAIL() << "waited"; });
  auto file = paced.OpenForWrite("/a", WriteMode::kCreateNew);
  ASSERT_TRUE(file.ok() && (*file)->Append(std::string(1 << 20, 'a')).ok());
}

TEST(PacedFileSystemTest, FailuresComeThrough) {
  MemoryFileSystem files;
  PacedFileSystem paced(files, 1'000, [](nanoseconds) {});
  EXPECT_EQ(paced.OpenForWrite("/none/a", WriteMode::kAppend).status().code(),
            files.OpenForWrite("/none/a", WriteMode::kAppend).status().code());
  EXPECT_EQ(paced.Stat("/none").status().code(), base::StatusCode::kNotFound);
}

}  // namespace
}  // namespace sightline::io
