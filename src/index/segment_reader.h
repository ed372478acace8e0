// Reads one segment file, mapped into memory.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "base/result.h"
#include "format/segment.h"
#include "format/segment_codes.h"
#include "index/stored_vectors.h"
#include "index/unit_set.h"
#include "io/file_system.h"

namespace sightline::index {

/// The plain part of a segment; its code part, where it has one, is `SegmentCodes`. Immutable and
/// thread-safe. Header, footer and tables are checked when it is opened, a block when
/// it is first touched; what fails is kDataLoss with path and offset.
class SegmentReader {
 public:
  /// Maps the file; kNotFound, kDataLoss, or kFailedPrecondition for one of another version.
  static base::Result<std::shared_ptr<const SegmentReader>> Open(io::FileSystem& files,
                                                                 const std::string& path);
  /// A coded segment whose code part is still to be written.
  static base::Result<std::shared_ptr<const SegmentReader>> OpenPlainPart(io::FileSystem& files,
                                                                          const std::string& path);

  /// The file.
  const std::string& path() const { return path_; }
  /// Numbers a vector.
  std::size_t dims() const { return dims_; }
  /// Units in the file, deleted ones included.
  std::size_t unit_count() const { return ids_.size(); }
  /// Vectors of all units.
  std::uint64_t vector_count() const { return footer_.vectors; }
  /// Blocks of the file.
  std::size_t block_count() const { return blocks_.size(); }
  /// Size of the file.
  std::uint64_t size_bytes() const { return mapped_->bytes().size(); }
  /// What the code part says of itself; nothing where there is none.
  const std::optional<format::CodeTrailer>& code_trailer() const { return trailer_; }
  /// The file, as it is mapped.
  const io::MappedBytes& mapped() const { return *mapped_; }
  /// Vectors up to and including each unit.
  std::span<const std::uint64_t> unit_ends() const { return ends_; }
  /// Id of a unit by its index; ids grow with it.
  UnitId unit_id(std::size_t unit) const { return ids_[unit]; }
  /// Index of the first vector of a unit; `unit` may be `unit_count()`.
  std::uint64_t first_vector(std::size_t unit) const { return unit == 0 ? 0 : ends_[unit - 1]; }
  /// Index of a unit by its id.
  std::optional<std::size_t> Find(UnitId id) const;

  /// The block that has a vector.
  std::size_t BlockOf(std::uint64_t vector) const;
  /// Which units and vectors a block holds.
  const format::BlockEntry& block(std::size_t block) const { return blocks_[block]; }
  /// The groups of a block; its vectors are 0 … `block(block).vectors` - 1 of them.
  base::Result<const std::uint8_t*> BlockGroups(std::size_t block) const;
  /// Where a unit of a block is in the groups of that block.
  kernels::VectorRange RangeOf(std::size_t unit, const format::BlockEntry& block) const {
    return {first_vector(unit) - block.first_vector, first_vector(unit + 1) - block.first_vector};
  }
  /// The vectors of one unit.
  base::Result<StoredVectors> UnitVectors(std::size_t unit) const;
  /// Tells the system that the blocks of a unit are about to be read, unless they have been.
  void WillNeed(std::size_t unit) const;
  /// The same for the blocks from `block` on, some megabytes of them; called for every block by
  /// those who read them in order.
  void ReadAhead(std::size_t block) const;
  /// Reads and checks every block.
  base::Status Verify() const;

 private:
  enum class Parts { kAll, kPlainOnly };

  SegmentReader(std::string path, std::unique_ptr<io::MappedBytes> mapped);
  static base::Result<std::shared_ptr<const SegmentReader>> OpenParts(io::FileSystem& files,
                                                                      const std::string& path,
                                                                      Parts parts);
  base::Status Load(Parts parts);
  base::Status CheckBlock(std::size_t block) const;
  bool ScalesAreSound(const format::BlockEntry& block) const;

  const std::string path_;
  const std::unique_ptr<io::MappedBytes> mapped_;
  std::size_t dims_ = 0;
  format::SegmentFooter footer_;
  std::optional<format::CodeTrailer> trailer_;
  std::vector<format::BlockEntry> blocks_;
  std::span<const UnitId> ids_;
  std::span<const std::uint64_t> ends_;
  // Set once a block was found intact; two threads may both check it.
  mutable std::vector<std::atomic<bool>> checked_;
};

}  // namespace sightline::index
