#include "format/segment.h"

#include <algorithm>
#include <cstring>

#include "base/digest.h"
#include "format/little_endian.h"

namespace sightline::format {
namespace {

using base::DataLoss;
using base::Result;
using base::Status;

constexpr std::string_view kHeaderMagic = "SIGHTSEG";
constexpr std::string_view kFooterMagic = "SEGENDV2";
constexpr std::size_t kHeaderCrcOffset = kSegmentHeaderBytes - 4;
constexpr std::size_t kFooterCrcOffset = kSegmentFooterBytes - 4;
constexpr std::size_t kHeaderUsed = 20;
constexpr std::size_t kFooterUsed = 64;

Status Damaged(std::string_view what, std::uint64_t offset) {
  return DataLoss("the segment file is damaged: " + std::string(what) + " at offset " +
                  std::to_string(offset));
}

bool HasMagic(std::span<const std::byte> bytes, std::string_view magic) {
  return std::memcmp(bytes.data(), magic.data(), magic.size()) == 0;
}

bool AllZero(std::span<const std::byte> bytes) {
  return std::all_of(bytes.begin(), bytes.end(), [](std::byte b) { return b == std::byte{0}; });
}

/// Whether `count` entries of `entry_bytes` from `offset` end at or before `limit`.
bool Fits(std::uint64_t offset, std::uint64_t count, std::uint64_t entry_bytes,
          std::uint64_t limit) {
  return offset <= limit && count <= (limit - offset) / entry_bytes;
}

Status CheckUnitTable(std::span<const std::byte> table, const SegmentFooter& footer) {
  const std::size_t units = footer.units;
  std::int64_t last_id = 0;
  std::uint64_t last_end = 0;
  for (std::size_t i = 0; i < units; ++i) {
    const auto id = LoadLittleEndian<std::int64_t>(table, i * 8);
    const auto end = LoadLittleEndian<std::uint64_t>(table, (units + i) * 8);
    if (id <= last_id) return Damaged("unit ids do not grow", footer.unit_table_offset + i * 8);
    if (end <= last_end || end - last_end > kMaxVectorsPerUnit) {
      return Damaged("a unit has no or too many vectors",
                     footer.unit_table_offset + (units + i) * 8);
    }
    last_id = id;
    last_end = end;
  }
  if (last_end != footer.vectors) {
    return Damaged("units and vectors do not agree", footer.unit_table_offset);
  }
  return base::OkStatus();
}

Status CheckBlock(const BlockEntry& block, const BlockEntry& expected, std::uint32_t dims) {
  if (block.offset != expected.offset || block.first_unit != expected.first_unit ||
      block.first_vector != expected.first_vector) {
    return Damaged("blocks do not follow each other", block.offset);
  }
  if (block.units == 0 || block.vectors < block.units ||
      BlockBytes(block.vectors, dims) != block.size_bytes || block.size_bytes > kMaxBlockBytes) {
    return Damaged("a block has a wrong size", block.offset);
  }
  return base::OkStatus();
}

Status CheckVersion(std::uint32_t version) {
  if (version == kPlainVersion || version == kCodedVersion) return base::OkStatus();
  if (version == 0) return Damaged("the header holds impossible values", 8);
  const std::string versions = ": version " + std::to_string(version) + ", this program reads " +
                               std::to_string(kPlainVersion) + " and " +
                               std::to_string(kCodedVersion);
  if (version > kCodedVersion) {
    return base::FailedPrecondition(
        "the segment file is from a later version of Sightline; update the program" + versions);
  }
  return base::FailedPrecondition(
      "the segment file is from an earlier version of Sightline; add the documents again to a new "
      "data folder" +
      versions);
}

/// How many vectors the first `units` units have.
std::uint64_t VectorsUpTo(std::span<const std::byte> unit_table, std::size_t all_units,
                          std::uint64_t units) {
  if (units == 0) return 0;
  return LoadLittleEndian<std::uint64_t>(unit_table, (all_units + units - 1) * 8);
}

}  // namespace

std::array<std::byte, kSegmentHeaderBytes> EncodeHeader(const SegmentHeader& header) {
  std::array<std::byte, kSegmentHeaderBytes> bytes{};
  std::memcpy(bytes.data(), kHeaderMagic.data(), kHeaderMagic.size());
  StoreLittleEndian(bytes, 8, header.version);
  StoreLittleEndian(bytes, 12, header.dims);
  StoreLittleEndian(bytes, 16, static_cast<std::uint32_t>(header.codec));
  StoreLittleEndian(bytes, kHeaderCrcOffset,
                    base::Crc32c(std::span(bytes).first(kHeaderCrcOffset)));
  return bytes;
}

std::array<std::byte, kSegmentFooterBytes> EncodeFooter(const SegmentFooter& footer) {
  std::array<std::byte, kSegmentFooterBytes> bytes{};
  std::memcpy(bytes.data(), kFooterMagic.data(), kFooterMagic.size());
  StoreLittleEndian(bytes, 8, footer.units);
  StoreLittleEndian(bytes, 16, footer.vectors);
  StoreLittleEndian(bytes, 24, footer.blocks);
  StoreLittleEndian(bytes, 32, footer.unit_table_offset);
  StoreLittleEndian(bytes, 40, footer.block_table_offset);
  StoreLittleEndian(bytes, 48, footer.file_bytes);
  StoreLittleEndian(bytes, 56, footer.unit_table_crc);
  StoreLittleEndian(bytes, 60, footer.block_table_crc);
  StoreLittleEndian(bytes, kFooterCrcOffset,
                    base::Crc32c(std::span(bytes).first(kFooterCrcOffset)));
  return bytes;
}

std::array<std::byte, kBlockEntryBytes> EncodeBlockEntry(const BlockEntry& entry) {
  std::array<std::byte, kBlockEntryBytes> bytes{};
  StoreLittleEndian(bytes, 0, entry.offset);
  StoreLittleEndian(bytes, 8, entry.size_bytes);
  StoreLittleEndian(bytes, 16, entry.first_unit);
  StoreLittleEndian(bytes, 24, entry.first_vector);
  StoreLittleEndian(bytes, 32, entry.units);
  StoreLittleEndian(bytes, 36, entry.vectors);
  StoreLittleEndian(bytes, 40, entry.crc);
  return bytes;
}

BlockEntry DecodeBlockEntry(std::span<const std::byte, kBlockEntryBytes> bytes) {
  BlockEntry entry;
  entry.offset = LoadLittleEndian<std::uint64_t>(bytes, 0);
  entry.size_bytes = LoadLittleEndian<std::uint64_t>(bytes, 8);
  entry.first_unit = LoadLittleEndian<std::uint64_t>(bytes, 16);
  entry.first_vector = LoadLittleEndian<std::uint64_t>(bytes, 24);
  entry.units = LoadLittleEndian<std::uint32_t>(bytes, 32);
  entry.vectors = LoadLittleEndian<std::uint32_t>(bytes, 36);
  entry.crc = LoadLittleEndian<std::uint32_t>(bytes, 40);
  return entry;
}

bool HasSegmentMagic(std::span<const std::byte> bytes) {
  return bytes.size() >= kHeaderMagic.size() && HasMagic(bytes, kHeaderMagic);
}

Result<SegmentHeader> DecodeHeader(std::span<const std::byte> bytes) {
  if (bytes.size() < kSegmentHeaderBytes) return Damaged("it ends in its header", bytes.size());
  if (!HasMagic(bytes, kHeaderMagic)) return Damaged("this is no segment file", 0);
  SegmentHeader header;
  header.version = LoadLittleEndian<std::uint32_t>(bytes, 8);
  const bool intact = LoadLittleEndian<std::uint32_t>(bytes, kHeaderCrcOffset) ==
                      base::Crc32c(bytes.first(kHeaderCrcOffset));
  if (!intact) return Damaged("the header's checksum is wrong", 0);
  SIGHTLINE_RETURN_IF_ERROR(CheckVersion(header.version));
  header.dims = LoadLittleEndian<std::uint32_t>(bytes, 12);
  const auto codec = LoadLittleEndian<std::uint32_t>(bytes, 16);
  if (header.dims == 0 || header.dims > kMaxDims ||
      codec != static_cast<std::uint32_t>(CodecKind::kInt8) ||
      !AllZero(bytes.subspan(kHeaderUsed, kHeaderCrcOffset - kHeaderUsed))) {
    return Damaged("the header holds impossible values", 8);
  }
  return header;
}

Result<SegmentFooter> DecodeFooter(std::span<const std::byte> file) {
  if (file.size() < kSegmentHeaderBytes + kSegmentFooterBytes) {
    return Damaged("it ends before its footer", file.size());
  }
  const std::uint64_t start = file.size() - kSegmentFooterBytes;
  const auto bytes = file.subspan(start);
  if (!HasMagic(bytes, kFooterMagic)) return Damaged("it was not finished: no footer", start);
  if (LoadLittleEndian<std::uint32_t>(bytes, kFooterCrcOffset) !=
      base::Crc32c(bytes.first(kFooterCrcOffset))) {
    return Damaged("the footer's checksum is wrong", start);
  }
  SegmentFooter footer;
  footer.units = LoadLittleEndian<std::uint64_t>(bytes, 8);
  footer.vectors = LoadLittleEndian<std::uint64_t>(bytes, 16);
  footer.blocks = LoadLittleEndian<std::uint64_t>(bytes, 24);
  footer.unit_table_offset = LoadLittleEndian<std::uint64_t>(bytes, 32);
  footer.block_table_offset = LoadLittleEndian<std::uint64_t>(bytes, 40);
  footer.file_bytes = LoadLittleEndian<std::uint64_t>(bytes, 48);
  footer.unit_table_crc = LoadLittleEndian<std::uint32_t>(bytes, 56);
  footer.block_table_crc = LoadLittleEndian<std::uint32_t>(bytes, 60);
  const bool fits =
      footer.file_bytes == file.size() && footer.unit_table_offset >= kSegmentHeaderBytes &&
      footer.unit_table_offset % kBlockAlignment == 0 &&
      Fits(footer.unit_table_offset, footer.units, kUnitEntryBytes, footer.block_table_offset) &&
      footer.unit_table_offset + footer.units * kUnitEntryBytes == footer.block_table_offset &&
      Fits(footer.block_table_offset, footer.blocks, kBlockEntryBytes, start) &&
      footer.block_table_offset + footer.blocks * kBlockEntryBytes == start &&
      AllZero(bytes.subspan(kFooterUsed, kFooterCrcOffset - kFooterUsed));
  if (!fits) return Damaged("the footer does not fit the file", start);
  return footer;
}

Status CheckTables(std::span<const std::byte> file, const SegmentHeader& header,
                   const SegmentFooter& footer) {
  const auto units = file.subspan(footer.unit_table_offset, footer.units * kUnitEntryBytes);
  const auto blocks = file.subspan(footer.block_table_offset, footer.blocks * kBlockEntryBytes);
  if (base::Crc32c(units) != footer.unit_table_crc) {
    return Damaged("the unit table's checksum is wrong", footer.unit_table_offset);
  }
  if (base::Crc32c(blocks) != footer.block_table_crc) {
    return Damaged("the block table's checksum is wrong", footer.block_table_offset);
  }
  SIGHTLINE_RETURN_IF_ERROR(CheckUnitTable(units, footer));
  BlockEntry expected;
  expected.offset = kSegmentHeaderBytes;
  for (std::size_t i = 0; i < footer.blocks; ++i) {
    const BlockEntry block =
        DecodeBlockEntry(blocks.subspan(i * kBlockEntryBytes).first<kBlockEntryBytes>());
    SIGHTLINE_RETURN_IF_ERROR(CheckBlock(block, expected, header.dims));
    expected.offset += block.size_bytes;
    expected.first_unit += block.units;
    expected.first_vector += block.vectors;
    if (expected.offset > footer.unit_table_offset || expected.first_unit > footer.units ||
        VectorsUpTo(units, footer.units, expected.first_unit) != expected.first_vector) {
      return Damaged("a block does not end with a unit", block.offset);
    }
  }
  if (expected.offset != footer.unit_table_offset || expected.first_unit != footer.units ||
      expected.first_vector != footer.vectors) {
    return Damaged("blocks and units do not agree", footer.block_table_offset);
  }
  return base::OkStatus();
}

}  // namespace sightline::format
