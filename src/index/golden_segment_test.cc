// Segments of every released version stay readable, and this program still writes the same bytes.
#include <gtest/gtest.h>

#include <cstdlib>

#include "index/inspect.h"
#include "index/search.h"
#include "index/segment_fixture.h"
#include "io/memory_file_system.h"

namespace sightline::index {
namespace {

constexpr int kDims = 8;
const std::string kFolder = SIGHTLINE_GOLDEN_SEGMENTS;

/// Numbers that are exact in every arithmetic.
std::vector<TestUnit> Units() {
  std::vector<TestUnit> units;
  std::uint32_t state = 1;
  for (UnitId id = 1; id <= 40; ++id) {
    TestUnit unit{id * 3, {}};
    for (int i = 0; i < 5 * kDims; ++i) {
      state = state * 1'664'525U + 1'013'904'223U;
      unit.vectors.push_back(static_cast<float>(static_cast<int>(state >> 24U) - 128) / 64.0F);
    }
    units.push_back(std::move(unit));
  }
  return units;
}

class GoldenSegmentTest : public testing::TestWithParam<SegmentKind> {
 protected:
  static std::string Name() {
    return GetParam() == SegmentKind::kCoded ? "coded-v3.seg" : "plain-v2.seg";
  }
  static std::optional<SegmentCoding> Coding() {
    if (GetParam() == SegmentKind::kPlain) return std::nullopt;
    SegmentCoding coding;
    coding.training.lists = 16;
    return coding;
  }
};

TEST_P(GoldenSegmentTest, IsReadAndSearched) {
  io::FileSystem& files = io::PosixFileSystem();
  const std::string path = kFolder + "/" + Name();
  const auto facts = InspectSegment(files, path);
  ASSERT_TRUE(facts.ok()) << facts.status().ToString();
  IndexedSegment segment;
  segment.segment = *SegmentReader::Open(files, path);
  if (GetParam() == SegmentKind::kCoded) {
    segment.codes = *SegmentCodes::Open(segment.segment, nullptr);
  }
  for (const SearchPath way : {SearchPath::kExact, SearchPath::kFlat, SearchPath::kLists}) {
    for (const TestUnit& unit : Units()) {
      const auto found =
          Search(unit.vectors, kDims, std::span(&segment, 1), {.top_k = 1, .path = way}, {}, {});
      ASSERT_TRUE(found.ok()) << found.status().ToString();
      EXPECT_EQ(found->units.front().id, unit.id);
    }
  }
}

TEST_P(GoldenSegmentTest, IsWrittenToTheByte) {
  io::MemoryFileSystem files;
  MakeSegment(files, "/s", kDims, Units(), Coding());
  const std::string written = *files.ReadFile("/s", 1 << 20);
  const std::string path = kFolder + "/" + Name();
  if (std::getenv("SIGHTLINE_WRITE_GOLDEN") != nullptr) {
    ASSERT_TRUE(io::PosixFileSystem().WriteFileAtomically(path, written).ok());
  }
  EXPECT_TRUE(written == *io::PosixFileSystem().ReadFile(path, 1 << 20))
      << "the format has changed: raise its version, keep the old file";
}

INSTANTIATE_TEST_SUITE_P(Versions, GoldenSegmentTest,
                         testing::Values(SegmentKind::kPlain, SegmentKind::kCoded));

}  // namespace
}  // namespace sightline::index
