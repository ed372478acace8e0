#include "index/merge.h"

#include <gtest/gtest.h>

#include "index/segment_fixture.h"
#include "io/memory_file_system.h"

namespace sightline::index {
namespace {

constexpr int kDims = 8;

std::vector<TestUnit> Units(const std::vector<UnitId>& ids) {
  std::vector<TestUnit> units;
  for (const UnitId id : ids) {
    units.push_back({id, RandomVectors(1 + static_cast<std::size_t>(id % 4), kDims,
                                       static_cast<unsigned>(id))});
  }
  return units;
}

TEST(MergeTest, ResultsBeforeAndAfterAreTheSameToTheBit) {
  io::MemoryFileSystem files;
  const std::vector<std::shared_ptr<const SegmentReader>> segments = {
      MakeSegment(files, "/a", kDims, Units({1, 4, 9, 10})),
      MakeSegment(files, "/b", kDims, Units({2, 3, 30})),
      MakeSegment(files, "/c", kDims, Units({5}))};
  UnitSet deleted;
  deleted.Insert(4);
  const auto info = MergeSegments(files, "/m", segments, {&deleted, {}}, base::CancelToken());
  ASSERT_TRUE(info.ok()) << info.status().ToString();
  EXPECT_EQ(info->units, 7);
  const auto merged = SegmentReader::Open(files, "/m");
  ASSERT_TRUE(merged.ok());
  EXPECT_FALSE((*merged)->Find(4).has_value());
  const auto query = PrepareQuery(RandomVectors(3, kDims, 7), kDims);
  const auto before = ExactSearch(*query, 10, segments, {nullptr, &deleted}, base::CancelToken());
  const auto after = ExactSearch(*query, 10, std::span(&*merged, 1), {}, base::CancelToken());
  EXPECT_EQ(*before, *after);
  EXPECT_EQ(before->size(), 7U);
}

TEST(MergeTest, NothingLeftMeansNoFile) {
  io::MemoryFileSystem files;
  const std::vector<std::shared_ptr<const SegmentReader>> segments = {
      MakeSegment(files, "/a", kDims, Units({1}))};
  UnitSet deleted;
  deleted.Insert(1);
  const auto info = MergeSegments(files, "/m", segments, {&deleted, {}}, base::CancelToken());
  ASSERT_TRUE(info.ok());
  EXPECT_EQ(info->units, 0);
  EXPECT_FALSE(*files.Exists("/m"));
}

TEST(MergeTest, UnitInTwoSegmentsIsRefused) {
  io::MemoryFileSystem files;
  const std::vector<std::shared_ptr<const SegmentReader>> segments = {
      MakeSegment(files, "/a", kDims, Units({1, 2})), MakeSegment(files, "/b", kDims, Units({2}))};
  EXPECT_EQ(MergeSegments(files, "/m", segments, {}, base::CancelToken()).status().code(),
            base::StatusCode::kDataLoss);
  EXPECT_FALSE(*files.Exists("/m"));
}

}  // namespace
}  // namespace sightline::index
