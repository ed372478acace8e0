#include "index/segment_reader.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "base/digest.h"
#include "index/mapped_numbers.h"

namespace sightline::index {
namespace {

using base::OkStatus;
using base::Result;
using base::Status;

/// Blocks between two times that those to come are asked for: 2 MiB at least.
constexpr std::size_t kBlocksAhead = 64;

}  // namespace

Result<std::shared_ptr<const SegmentReader>> SegmentReader::Open(io::FileSystem& files,
                                                                 const std::string& path) {
  return OpenParts(files, path, Parts::kAll);
}

Result<std::shared_ptr<const SegmentReader>> SegmentReader::OpenPlainPart(io::FileSystem& files,
                                                                          const std::string& path) {
  return OpenParts(files, path, Parts::kPlainOnly);
}

Result<std::shared_ptr<const SegmentReader>> SegmentReader::OpenParts(io::FileSystem& files,
                                                                      const std::string& path,
                                                                      Parts parts) {
  SIGHTLINE_ASSIGN_OR_RETURN(const auto file, files.OpenForRead(path));
  SIGHTLINE_ASSIGN_OR_RETURN(auto mapped, file->Map());
  const std::shared_ptr<SegmentReader> reader(new SegmentReader(path, std::move(mapped)));
  const Status loaded = reader->Load(parts);
  if (!loaded.ok()) return loaded.WithContext(path);
  return std::shared_ptr<const SegmentReader>(reader);
}

SegmentReader::SegmentReader(std::string path, std::unique_ptr<io::MappedBytes> mapped)
    : path_(std::move(path)), mapped_(std::move(mapped)) {}

Status SegmentReader::Load(Parts parts) {
  auto file = mapped_->bytes();
  mapped_->ExpectRandomReads();
  SIGHTLINE_ASSIGN_OR_RETURN(const format::SegmentHeader header, format::DecodeHeader(file));
  if (header.version == format::kCodedVersion && parts == Parts::kAll) {
    SIGHTLINE_ASSIGN_OR_RETURN(trailer_, format::DecodeCodeTrailer(file));
    file = file.first(trailer_->plain_bytes);
  }
  SIGHTLINE_ASSIGN_OR_RETURN(footer_, format::DecodeFooter(file));
  mapped_->WillNeed(footer_.unit_table_offset, file.size() - footer_.unit_table_offset);
  SIGHTLINE_RETURN_IF_ERROR(format::CheckTables(file, header, footer_));
  dims_ = header.dims;
  ids_ = NumbersAt<UnitId>(file, footer_.unit_table_offset, footer_.units);
  ends_ = NumbersAt<std::uint64_t>(file, footer_.unit_table_offset + footer_.units * sizeof(UnitId),
                                   footer_.units);
  blocks_.reserve(footer_.blocks);
  for (std::size_t i = 0; i < footer_.blocks; ++i) {
    const auto entry = file.subspan(footer_.block_table_offset + i * format::kBlockEntryBytes);
    blocks_.push_back(format::DecodeBlockEntry(entry.first<format::kBlockEntryBytes>()));
  }
  checked_ = std::vector<std::atomic<bool>>(blocks_.size());
  if (!trailer_) return OkStatus();
  return format::CheckCodeTrailer(*trailer_, dims_, footer_.units, footer_.vectors, size_bytes());
}

std::optional<std::size_t> SegmentReader::Find(UnitId id) const {
  const auto at = std::lower_bound(ids_.begin(), ids_.end(), id);
  if (at == ids_.end() || *at != id) return std::nullopt;
  return static_cast<std::size_t>(at - ids_.begin());
}

bool SegmentReader::ScalesAreSound(const format::BlockEntry& block) const {
  const auto groups = NumbersAt<std::uint8_t>(mapped_->bytes(), block.offset, block.size_bytes);
  const std::size_t group_bytes = kernels::GroupBytes(dims_);
  for (std::size_t at = 0; at < groups.size(); at += group_bytes) {
    for (const float scale : kernels::GroupScales(groups.data() + at, dims_)) {
      if (!std::isfinite(scale) || scale < 0) return false;
    }
  }
  return true;
}

Status SegmentReader::CheckBlock(std::size_t block) const {
  if (checked_[block].load(std::memory_order_acquire)) return OkStatus();
  const format::BlockEntry& entry = blocks_[block];
  const auto bytes = mapped_->bytes().subspan(entry.offset, entry.size_bytes);
  if (base::Crc32c(bytes) != entry.crc || !ScalesAreSound(entry)) {
    return base::DataLoss("the segment file is damaged: a block's checksum is wrong: " + path_ +
                          " at offset " + std::to_string(entry.offset));
  }
  checked_[block].store(true, std::memory_order_release);
  return OkStatus();
}

Result<const std::uint8_t*> SegmentReader::BlockGroups(std::size_t block) const {
  SIGHTLINE_RETURN_IF_ERROR(CheckBlock(block));
  const format::BlockEntry& entry = blocks_[block];
  return NumbersAt<std::uint8_t>(mapped_->bytes(), entry.offset, entry.size_bytes).data();
}

std::size_t SegmentReader::BlockOf(std::uint64_t vector) const {
  const auto after =
      std::ranges::upper_bound(blocks_, vector, {}, &format::BlockEntry::first_vector);
  return static_cast<std::size_t>(after - blocks_.begin()) - 1;
}

void SegmentReader::WillNeed(std::size_t unit) const {
  const std::size_t block = BlockOf(first_vector(unit));
  if (checked_[block].load(std::memory_order_acquire)) return;
  mapped_->WillNeed(blocks_[block].offset, blocks_[block].size_bytes);
}

void SegmentReader::ReadAhead(std::size_t block) const {
  if (block % kBlocksAhead != 0 || checked_[block].load(std::memory_order_acquire)) return;
  const std::size_t last = std::min(block + 2 * kBlocksAhead, blocks_.size()) - 1;
  const std::uint64_t first = blocks_[block].offset;
  mapped_->WillNeed(first, blocks_[last].offset + blocks_[last].size_bytes - first);
}

Result<StoredVectors> SegmentReader::UnitVectors(std::size_t unit) const {
  const std::size_t block = BlockOf(first_vector(unit));
  SIGHTLINE_ASSIGN_OR_RETURN(const std::uint8_t* groups, BlockGroups(block));
  return StoredVectors{groups, RangeOf(unit, blocks_[block])};
}

Status SegmentReader::Verify() const {
  for (std::size_t block = 0; block < blocks_.size(); ++block) {
    ReadAhead(block);
    SIGHTLINE_RETURN_IF_ERROR(CheckBlock(block));
  }
  return OkStatus();
}

}  // namespace sightline::index
