#include "format/segment.h"

#include <gtest/gtest.h>

#include <cstdint>

#include "base/digest.h"
#include "format/little_endian.h"

namespace sightline::format {
namespace {

TEST(SegmentFormatTest, HeaderComesBack) {
  SegmentHeader header;
  header.dims = 384;
  const auto decoded = DecodeHeader(EncodeHeader(header));
  ASSERT_TRUE(decoded.ok()) << decoded.status().ToString();
  EXPECT_EQ(decoded->dims, 384U);
}

TEST(SegmentFormatTest, HeaderOfALaterVersionIsRefusedClearly) {
  SegmentHeader header;
  header.dims = 384;
  header.version = kCodedVersion + 1;
  const auto decoded = DecodeHeader(EncodeHeader(header));
  EXPECT_EQ(decoded.status().code(), base::StatusCode::kFailedPrecondition);
  EXPECT_NE(decoded.status().message().find("later version"), std::string::npos);
}

TEST(SegmentFormatTest, HeaderOfVersion1SaysWhatToDo) {
  SegmentHeader header;
  header.dims = 384;
  header.version = 1;
  const auto decoded = DecodeHeader(EncodeHeader(header));
  EXPECT_EQ(decoded.status().code(), base::StatusCode::kFailedPrecondition);
  EXPECT_NE(decoded.status().message().find("add the documents again"), std::string::npos);
}

TEST(SegmentFormatTest, BlocksAreWholeGroups) {
  EXPECT_EQ(BlockBytes(0, 128), 0U);
  EXPECT_EQ(BlockBytes(1, 1), 128U);
  EXPECT_EQ(BlockBytes(16, 128), 33U * 64);
  EXPECT_EQ(BlockBytes(17, 129), 2U * 34 * 64);
}

TEST(SegmentFormatTest, HeaderRefusesDimsOutOfBounds) {
  for (const std::uint32_t dims : {0U, kMaxDims + 1, 0xFFFFFFFFU}) {
    SegmentHeader header;
    header.dims = dims;
    EXPECT_EQ(DecodeHeader(EncodeHeader(header)).status().code(), base::StatusCode::kDataLoss);
  }
}

TEST(SegmentFormatTest, EveryFlippedBitOfTheHeaderIsFound) {
  SegmentHeader header;
  header.dims = 384;
  for (std::size_t bit = 0; bit < kSegmentHeaderBytes * 8; ++bit) {
    auto bytes = EncodeHeader(header);
    bytes[bit / 8] ^= std::byte{1} << (bit % 8);
    EXPECT_FALSE(DecodeHeader(bytes).ok()) << bit;
  }
}

TEST(SegmentFormatTest, FooterRefusesCountsThatTheFileCannotHold) {
  std::vector<std::byte> file(kSegmentHeaderBytes + kSegmentFooterBytes);
  for (const std::uint64_t units : {std::uint64_t{1}, ~std::uint64_t{0}, std::uint64_t{1} << 60U}) {
    SegmentFooter footer;
    footer.units = units;
    footer.vectors = units;
    footer.unit_table_offset = kSegmentHeaderBytes;
    footer.block_table_offset = kSegmentHeaderBytes + units * kUnitEntryBytes;
    footer.file_bytes = file.size();
    const auto bytes = EncodeFooter(footer);
    std::copy(bytes.begin(), bytes.end(), file.begin() + kSegmentHeaderBytes);
    EXPECT_EQ(DecodeFooter(file).status().code(), base::StatusCode::kDataLoss) << units;
  }
}

/// A whole file of one unit with one vector of one dim, whose block table says `block`.
std::vector<std::byte> FileWithBlock(const BlockEntry& block) {
  std::vector<std::byte> file(kSegmentHeaderBytes + BlockBytes(1, 1));
  const auto append = [&](std::span<const std::byte> bytes) {
    file.insert(file.end(), bytes.begin(), bytes.end());
    return base::Crc32c(bytes);
  };
  SegmentFooter footer;
  footer.units = footer.vectors = footer.blocks = 1;
  footer.unit_table_offset = file.size();
  std::vector<std::byte> unit(kUnitEntryBytes);
  StoreLittleEndian(unit, 0, std::int64_t{1});
  StoreLittleEndian(unit, 8, std::uint64_t{1});
  footer.unit_table_crc = append(unit);
  footer.block_table_offset = file.size();
  footer.block_table_crc = append(EncodeBlockEntry(block));
  footer.file_bytes = file.size() + kSegmentFooterBytes;
  append(EncodeFooter(footer));
  return file;
}

base::Status CheckFile(const std::vector<std::byte>& file) {
  SegmentHeader header;
  header.dims = 1;
  SIGHTLINE_ASSIGN_OR_RETURN(const SegmentFooter footer, DecodeFooter(file));
  return CheckTables(file, header, footer);
}

TEST(SegmentFormatTest, TablesRefuseBlocksThatTheFileCannotHold) {
  const BlockEntry sound{kSegmentHeaderBytes, BlockBytes(1, 1), 0, 0, 1, 1, 0};
  EXPECT_TRUE(CheckFile(FileWithBlock(sound)).ok());
  BlockEntry block = sound;
  block.vectors = 0xFFFFFFFF;
  EXPECT_EQ(CheckFile(FileWithBlock(block)).code(), base::StatusCode::kDataLoss);
  block.size_bytes = BlockBytes(block.vectors, 1);
  EXPECT_EQ(CheckFile(FileWithBlock(block)).code(), base::StatusCode::kDataLoss);
  block = sound;
  block.vectors = 17;
  block.size_bytes = BlockBytes(17, 1);
  EXPECT_EQ(CheckFile(FileWithBlock(block)).code(), base::StatusCode::kDataLoss);
  block = sound;
  block.units = 2;
  EXPECT_EQ(CheckFile(FileWithBlock(block)).code(), base::StatusCode::kDataLoss);
  block = sound;
  block.offset = ~std::uint64_t{0} - 63;
  EXPECT_EQ(CheckFile(FileWithBlock(block)).code(), base::StatusCode::kDataLoss);
}

TEST(SegmentFormatTest, BlockEntryComesBack) {
  const BlockEntry entry{64, 4096, 5, 17, 3, 9, 0xDEADBEEF};
  const BlockEntry back = DecodeBlockEntry(EncodeBlockEntry(entry));
  EXPECT_EQ(back.offset, entry.offset);
  EXPECT_EQ(back.size_bytes, entry.size_bytes);
  EXPECT_EQ(back.first_unit, entry.first_unit);
  EXPECT_EQ(back.first_vector, entry.first_vector);
  EXPECT_EQ(back.units, entry.units);
  EXPECT_EQ(back.vectors, entry.vectors);
  EXPECT_EQ(back.crc, entry.crc);
}

}  // namespace
}  // namespace sightline::format
