// The parts of a segment file as structs: pure bytes <-> structs, no files.
// The layout is docs/format/segment.md; this is the only code that knows it.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>

#include "base/result.h"
#include "format/codec_kind.h"
#include "kernels/vector_group.h"

namespace sightline::format {

/// A plain segment.
inline constexpr std::uint32_t kPlainVersion = 2;
/// A plain segment that a code part follows (segment_codes.h).
inline constexpr std::uint32_t kCodedVersion = 3;
inline constexpr std::size_t kSegmentHeaderBytes = 64;
inline constexpr std::size_t kSegmentFooterBytes = 128;
inline constexpr std::size_t kBlockEntryBytes = 48;
inline constexpr std::size_t kUnitEntryBytes = 16;
inline constexpr std::size_t kBlockAlignment = 64;
inline constexpr std::uint64_t kMaxBlockBytes = std::uint64_t{64} << 20U;
inline constexpr std::uint32_t kMaxDims = 4096;
inline constexpr std::uint32_t kMaxVectorsPerUnit = 8192;

/// What the file says of itself at its front.
struct SegmentHeader {
  std::uint32_t version = kPlainVersion;
  std::uint32_t dims = 0;
  /// Of the blocks.
  CodecKind codec = CodecKind::kInt8;
};

/// Counts and places, at the end of the file.
struct SegmentFooter {
  std::uint64_t units = 0;
  std::uint64_t vectors = 0;
  std::uint64_t blocks = 0;
  std::uint64_t unit_table_offset = 0;
  std::uint64_t block_table_offset = 0;
  std::uint64_t file_bytes = 0;
  std::uint32_t unit_table_crc = 0;
  std::uint32_t block_table_crc = 0;
};

/// Where one block is and what it holds.
struct BlockEntry {
  std::uint64_t offset = 0;
  std::uint64_t size_bytes = 0;
  std::uint64_t first_unit = 0;
  std::uint64_t first_vector = 0;
  std::uint32_t units = 0;
  std::uint32_t vectors = 0;
  std::uint32_t crc = 0;
};

/// Size of a block. At most 2^32 vectors of at most kMaxDims.
constexpr std::uint64_t BlockBytes(std::uint64_t vectors, std::uint64_t dims) {
  return kernels::GroupCount(vectors) * kernels::GroupBytes(dims);
}
static_assert(kernels::GroupBytes(1) % kBlockAlignment == 0);
static_assert(BlockBytes(kMaxVectorsPerUnit, kMaxDims) <= kMaxBlockBytes);

/// The bytes of a header, checksum included.
std::array<std::byte, kSegmentHeaderBytes> EncodeHeader(const SegmentHeader& header);
/// The bytes of a footer, checksum included.
std::array<std::byte, kSegmentFooterBytes> EncodeFooter(const SegmentFooter& footer);
/// The bytes of one entry of the block table.
std::array<std::byte, kBlockEntryBytes> EncodeBlockEntry(const BlockEntry& entry);

/// Whether `bytes`, the front of a file, are those of a segment of any version.
bool HasSegmentMagic(std::span<const std::byte> bytes);

/// `bytes` is the front of a file (any size). kDataLoss names the offset; kFailedPrecondition when
/// another version wrote it.
base::Result<SegmentHeader> DecodeHeader(std::span<const std::byte> bytes);

/// `file` is a whole plain segment. Checks counts and offsets against its size, so that tables of
/// the sizes that the footer gives lie inside the file; says nothing of their content.
base::Result<SegmentFooter> DecodeFooter(std::span<const std::byte> file);

/// One entry of the block table; only bytes to struct.
BlockEntry DecodeBlockEntry(std::span<const std::byte, kBlockEntryBytes> bytes);

/// The content of both tables of a file whose footer was decoded: checksums, ids and ends
/// increasing, blocks without gaps and inside the file.
base::Status CheckTables(std::span<const std::byte> file, const SegmentHeader& header,
                         const SegmentFooter& footer);

}  // namespace sightline::format
