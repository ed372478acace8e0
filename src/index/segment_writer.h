// Writes one segment file, front to back.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "base/result.h"
#include "format/segment.h"
#include "index/stored_vectors.h"
#include "index/unit_set.h"
#include "io/file_system.h"

namespace sightline::index {

/// What a finished segment holds.
struct SegmentInfo {
  std::int64_t units = 0;
  std::int64_t vectors = 0;
  std::int64_t size_bytes = 0;
  UnitId first_unit = 0;
  UnitId last_unit = 0;
};

/// Streaming: keeps one block and 64 bytes a block and unit in memory. Not thread-safe. Destroyed
/// before `Finish` succeeded, it removes the file.
class SegmentWriter {
 public:
  /// Makes the file `path`, which must not exist, for vectors of 1 … 4,096 `dims`. `files` must
  /// live longer.
  static base::Result<std::unique_ptr<SegmentWriter>> Create(io::FileSystem& files,
                                                             const std::string& path, int dims);
  ~SegmentWriter();
  SegmentWriter(const SegmentWriter&) = delete;
  SegmentWriter& operator=(const SegmentWriter&) = delete;

  /// `vectors` is row-major [n, dims], 1 ≤ n ≤ 8,192, finite; ids in increasing order. After
  /// kInvalidArgument the writer is as before; any other failure is final.
  base::Status Add(UnitId id, std::span<const float> vectors);
  /// A unit of another segment of the same dims, unchanged.
  base::Status AddStored(UnitId id, const StoredVectors& vectors);
  /// Makes the file complete and durable, its directory entry included. kFailedPrecondition when
  /// nothing was added.
  base::Result<SegmentInfo> Finish();

 private:
  SegmentWriter(io::FileSystem& files, std::string path, int dims,
                std::unique_ptr<io::WritableFile> file);
  base::Status CheckNext(UnitId id, std::size_t vectors) const;
  void AppendVector(float scale);
  void AppendUnit(UnitId id, std::size_t vectors);
  base::Status FlushBlock();
  base::Status FlushIfFull();
  base::Status WriteTables();

  io::FileSystem& files_;
  const std::string path_;
  const std::size_t dims_;
  std::unique_ptr<io::WritableFile> file_;
  std::vector<std::int8_t> codes_;    // Of one vector.
  std::vector<std::uint8_t> groups_;  // Of the open block.
  format::BlockEntry block_;          // The open block, as far as it is known.
  std::vector<format::BlockEntry> blocks_;
  std::vector<UnitId> ids_;
  std::vector<std::uint64_t> ends_;
  base::Status failure_;
  bool finished_ = false;
};

}  // namespace sightline::index
