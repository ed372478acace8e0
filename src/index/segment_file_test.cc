// Writer, reader and inspection of segment files, intact and damaged.
#include <gtest/gtest.h>

#include <cerrno>
#include <limits>

#include "index/inspect.h"
#include "index/segment_codes.h"
#include "index/segment_fixture.h"
#include "io/fault_injecting_file_system.h"
#include "io/memory_file_system.h"

namespace sightline::index {
namespace {

constexpr int kDims = 5;

std::vector<TestUnit> SmallUnits() {
  return {{1, RandomVectors(2, kDims, 1)},
          {4, RandomVectors(1, kDims, 2)},
          {9, RandomVectors(3, kDims, 3)}};
}

/// The stored vectors of a unit are within half a code of what was added.
void ExpectStored(const SegmentReader& reader, std::size_t unit, const std::vector<float>& vectors,
                  std::size_t dims) {
  const auto stored = reader.UnitVectors(unit);
  ASSERT_TRUE(stored.ok());
  ASSERT_EQ(stored->size() * dims, vectors.size());
  std::vector<std::int8_t> codes(dims);
  for (std::size_t v = 0; v < stored->size(); ++v) {
    const float scale = stored->Load(v, codes);
    for (std::size_t i = 0; i < dims; ++i) {
      ASSERT_NEAR(static_cast<float>(codes[i]) * scale, vectors[v * dims + i], scale * 0.501F);
    }
  }
}

/// Reads everything in the file; ok only when nothing is wrong.
base::Status ReadAll(io::FileSystem& files, const std::string& path) {
  SIGHTLINE_ASSIGN_OR_RETURN(const auto reader, SegmentReader::Open(files, path));
  SIGHTLINE_RETURN_IF_ERROR(reader->Verify());
  if (!reader->code_trailer()) return base::OkStatus();
  SIGHTLINE_ASSIGN_OR_RETURN(const auto codes, SegmentCodes::Open(reader, nullptr));
  return codes->Verify();
}

std::string Bytes(io::FileSystem& files, const std::string& path) {
  return *files.ReadFile(path, 1 << 20);
}

void Overwrite(io::FileSystem& files, const std::string& path, const std::string& content) {
  auto file = files.OpenForWrite(path, io::WriteMode::kTruncate);
  ASSERT_TRUE(file.ok());
  ASSERT_TRUE((*file)->Append(content).ok());
  ASSERT_TRUE((*file)->Close().ok());
}

TEST(SegmentFileTest, UnitsComeBack) {
  io::MemoryFileSystem files;
  const auto reader = MakeSegment(files, "/s", kDims, SmallUnits());
  EXPECT_EQ(reader->unit_count(), 3U);
  EXPECT_EQ(reader->vector_count(), 6U);
  EXPECT_EQ(*reader->Find(9), 2U);
  EXPECT_FALSE(reader->Find(5).has_value());
  const auto units = SmallUnits();
  for (std::size_t u = 0; u < units.size(); ++u) ExpectStored(*reader, u, units[u].vectors, kDims);
}

TEST(SegmentFileTest, ManyBlocksAndLargeUnitsComeBack) {
  io::MemoryFileSystem files;
  std::vector<TestUnit> units;
  for (UnitId id = 1; id <= 300; ++id) {
    const std::size_t vectors = id % 100 == 0 ? 900 : 7;
    units.push_back({id, RandomVectors(vectors, 130, static_cast<unsigned>(id))});
  }
  const auto reader = MakeSegment(files, "/s", 130, units);
  EXPECT_GT(reader->block_count(), 5U);
  EXPECT_TRUE(reader->Verify().ok());
  for (std::size_t u = 0; u < units.size(); ++u) ExpectStored(*reader, u, units[u].vectors, 130);
}

TEST(SegmentFileTest, OneVectorAUnitFillsItsGroups) {
  io::MemoryFileSystem files;
  std::vector<TestUnit> units;
  for (UnitId id = 1; id <= 1600; ++id) {
    units.push_back({id, RandomVectors(1, 64, static_cast<unsigned>(id))});
  }
  const auto reader = MakeSegment(files, "/s", 64, units);
  std::uint64_t blocks_bytes = 0;
  for (std::size_t b = 0; b < reader->block_count(); ++b) {
    blocks_bytes += reader->block(b).size_bytes;
  }
  EXPECT_EQ(blocks_bytes, 100 * kernels::GroupBytes(64));
}

/// A coded segment with all pieces, as small as can be.
void MakeSmallCoded(io::FileSystem& files, const std::string& path) {
  std::vector<TestUnit> units;
  for (UnitId id = 1; id <= 30; ++id) {
    units.push_back({id, RandomVectors(5, kDims, static_cast<unsigned>(id))});
  }
  SegmentCoding coding;
  coding.training.lists = 16;
  MakeSegment(files, path, kDims, units, coding);
}

void ExpectEveryFlipIsFound(io::FileSystem& files) {
  const std::string intact = Bytes(files, "/s");
  ASSERT_TRUE(ReadAll(files, "/s").ok());
  for (std::size_t at = 0; at < intact.size(); ++at) {
    for (const int flip : {0x01, 0x80, 0xFF}) {
      std::string damaged = intact;
      damaged[at] = static_cast<char>(damaged[at] ^ flip);
      Overwrite(files, "/s", damaged);
      const base::Status status = ReadAll(files, "/s");
      ASSERT_EQ(status.code(), base::StatusCode::kDataLoss) << at << ": " << status.ToString();
      ASSERT_NE(status.message().find("/s"), std::string::npos) << status.message();
      ASSERT_NE(status.message().find("offset"), std::string::npos) << status.message();
    }
  }
}

TEST(SegmentFileTest, EveryFlippedByteIsFound) {
  io::MemoryFileSystem files;
  MakeSegment(files, "/s", kDims, SmallUnits());
  ExpectEveryFlipIsFound(files);
}

TEST(SegmentFileTest, EveryFlippedByteOfACodedSegmentIsFound) {
  io::MemoryFileSystem files;
  MakeSmallCoded(files, "/s");
  ExpectEveryFlipIsFound(files);
}

void ExpectEveryTruncationIsFound(io::FileSystem& files) {
  const std::string intact = Bytes(files, "/s");
  for (std::size_t size = 0; size < intact.size(); ++size) {
    Overwrite(files, "/s", intact.substr(0, size));
    EXPECT_EQ(ReadAll(files, "/s").code(), base::StatusCode::kDataLoss) << size;
  }
  Overwrite(files, "/s", intact + '\0');
  EXPECT_EQ(ReadAll(files, "/s").code(), base::StatusCode::kDataLoss);
}

TEST(SegmentFileTest, EveryTruncationIsFound) {
  io::MemoryFileSystem files;
  MakeSegment(files, "/s", kDims, SmallUnits());
  ExpectEveryTruncationIsFound(files);
}

TEST(SegmentFileTest, EveryTruncationOfACodedSegmentIsFound) {
  io::MemoryFileSystem files;
  MakeSmallCoded(files, "/s");
  ExpectEveryTruncationIsFound(files);
}

TEST(SegmentFileTest, BadUnitsAreRefusedAndTheWriterGoesOn) {
  io::MemoryFileSystem files;
  auto writer = SegmentWriter::Create(files, "/s", kDims);
  ASSERT_TRUE(writer.ok());
  const auto refused = [&](UnitId id, const std::vector<float>& vectors) {
    return (*writer)->Add(id, vectors).code() == base::StatusCode::kInvalidArgument;
  };
  EXPECT_EQ((*writer)->Finish().status().code(), base::StatusCode::kFailedPrecondition);
  EXPECT_TRUE(refused(1, {}));
  EXPECT_TRUE(refused(1, RandomVectors(1, kDims - 1, 1)));
  EXPECT_TRUE(refused(1, RandomVectors(8193, kDims, 1)));
  EXPECT_TRUE(refused(0, RandomVectors(1, kDims, 1)));
  EXPECT_TRUE(refused(-3, RandomVectors(1, kDims, 1)));
  for (const float bad :
       {std::numeric_limits<float>::quiet_NaN(), std::numeric_limits<float>::infinity()}) {
    auto vectors = RandomVectors(2, kDims, 1);
    vectors[7] = bad;
    EXPECT_TRUE(refused(1, vectors));
  }
  EXPECT_TRUE((*writer)->Add(5, RandomVectors(8192, kDims, 1)).ok());
  EXPECT_TRUE(refused(5, RandomVectors(1, kDims, 1)));
  EXPECT_TRUE(refused(4, RandomVectors(1, kDims, 1)));
  EXPECT_TRUE((*writer)->Add(6, std::vector<float>(kDims, 0.0F)).ok()) << "zero vector";
  ASSERT_TRUE((*writer)->Finish().ok());
  EXPECT_FALSE((*writer)->Add(7, RandomVectors(1, kDims, 1)).ok());
  EXPECT_TRUE(ReadAll(files, "/s").ok());
  EXPECT_FALSE(SegmentWriter::Create(files, "/t", 0).ok());
  EXPECT_FALSE(SegmentWriter::Create(files, "/t", 4097).ok());
}

TEST(SegmentFileTest, UnfinishedWriterLeavesNoFile) {
  io::MemoryFileSystem files;
  {
    auto writer = SegmentWriter::Create(files, "/s", kDims);
    ASSERT_TRUE((*writer)->Add(1, RandomVectors(1, kDims, 1)).ok());
  }
  EXPECT_FALSE(*files.Exists("/s"));
}

/// Writes a small segment into a folder that is durable.
base::Status WriteSmall(io::FileSystem& files, SegmentKind kind) {
  SIGHTLINE_RETURN_IF_ERROR(files.CreateDirectories("/d"));
  SIGHTLINE_RETURN_IF_ERROR(files.SyncDirectory("/"));
  if (kind == SegmentKind::kPlain) return WriteSegment(files, "/d/s", kDims, SmallUnits());
  std::vector<TestUnit> units = {{1, RandomVectors(200, kDims, 1)}};
  SegmentCoding coding;
  coding.training.lists = 16;
  return WriteSegment(files, "/d/s", kDims, units, coding);
}

class SegmentFaultTest : public testing::TestWithParam<SegmentKind> {};

TEST_P(SegmentFaultTest, FinishedSegmentSurvivesAPowerCutAndFaultsAreReported) {
  std::uint64_t operations = 0;
  {
    io::MemoryFileSystem memory;
    io::FaultInjectingFileSystem files(memory);
    ASSERT_TRUE(WriteSmall(files, GetParam()).ok());
    operations = files.operation_count();
    files.Crash();
    EXPECT_TRUE(ReadAll(memory, "/d/s").ok());
  }
  ASSERT_GT(operations, 6U);
  for (std::uint64_t n = 0; n < operations; ++n) {
    io::MemoryFileSystem memory;
    io::FaultInjectingFileSystem files(memory);
    files.CrashAt(n);
    EXPECT_FALSE(WriteSmall(files, GetParam()).ok()) << n;
    files.Crash();
    const auto exists = memory.Exists("/d/s");
    // What is there was never reported as finished; if it opens, it must be whole.
    if (exists.ok() && *exists && SegmentReader::Open(memory, "/d/s").ok()) {
      EXPECT_TRUE(ReadAll(memory, "/d/s").ok()) << n;
    }
  }
}

TEST_P(SegmentFaultTest, FullDiskIsReportedWhereverItIs) {
  std::uint64_t size = 0;
  {
    io::MemoryFileSystem memory;
    ASSERT_TRUE(WriteSmall(memory, GetParam()).ok());
    size = memory.Stat("/d/s")->size_bytes;
  }
  for (std::uint64_t room = 0; room < size; room += 101) {
    io::MemoryFileSystem memory;
    io::FaultInjectingFileSystem files(memory);
    files.SetSpaceLeft(room);
    EXPECT_EQ(WriteSmall(files, GetParam()).code(), base::StatusCode::kStorageFull) << room;
    EXPECT_FALSE(*memory.Exists("/d/s")) << room;
  }
}

INSTANTIATE_TEST_SUITE_P(Kinds, SegmentFaultTest,
                         testing::Values(SegmentKind::kPlain, SegmentKind::kCoded));

std::string FactOf(const SegmentFacts& facts, std::string_view name) {
  for (const auto& [fact, value] : facts) {
    if (fact == name) return value;
  }
  return "";
}

TEST(InspectTest, DescribesCodesToo) {
  io::MemoryFileSystem files;
  MakeSmallCoded(files, "/s");
  const auto facts = InspectSegment(files, "/s");
  ASSERT_TRUE(facts.ok()) << facts.status().ToString();
  EXPECT_EQ(FactOf(*facts, "version"), "3");
  EXPECT_EQ(FactOf(*facts, "codes"), "pq4, 1 sub-vectors");
  EXPECT_EQ(FactOf(*facts, "codebook"), "learned from 150 vectors");
}

TEST(InspectTest, DescribesAndVerifies) {
  io::MemoryFileSystem files;
  MakeSegment(files, "/s", kDims, SmallUnits());
  EXPECT_TRUE(LooksLikeSegment(files, "/s"));
  const auto facts = InspectSegment(files, "/s");
  ASSERT_TRUE(facts.ok());
  EXPECT_EQ(FactOf(*facts, "units"), "3");
  EXPECT_EQ(FactOf(*facts, "unit ids"), "1 to 9");
  std::string damaged = Bytes(files, "/s");
  damaged[70] = static_cast<char>(damaged[70] ^ 1);
  Overwrite(files, "/s", damaged);
  EXPECT_EQ(InspectSegment(files, "/s").status().code(), base::StatusCode::kDataLoss);
  EXPECT_EQ(InspectSegment(files, "/none").status().code(), base::StatusCode::kNotFound);
  Overwrite(files, "/s", "SIGHT");
  EXPECT_FALSE(LooksLikeSegment(files, "/s"));
  EXPECT_FALSE(LooksLikeSegment(files, "/none"));
}

}  // namespace
}  // namespace sightline::index
