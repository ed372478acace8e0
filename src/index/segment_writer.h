// Writes one segment file, front to back.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "base/deadline.h"
#include "base/result.h"
#include "format/segment.h"
#include "index/codebook_trainer.h"
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

/// Whether a code part follows the vectors.
enum class SegmentKind { kPlain, kCoded };

/// How a segment gets its codes.
struct SegmentCoding {
  /// Null: one is learned from the segment's own vectors.
  std::shared_ptr<const Codebook> codebook;
  /// How that is done; its threads also make the codes.
  CodebookTraining training;
};

/// Streaming: keeps one block and 64 bytes a block and unit in memory. Not thread-safe. Destroyed
/// before `Finish` succeeded, it removes the file.
class SegmentWriter {
 public:
  /// Makes the file `path`, which must not exist, for vectors of 1 … 4,096 `dims`. `files` must
  /// live longer.
  static base::Result<std::unique_ptr<SegmentWriter>> Create(
      io::FileSystem& files, const std::string& path, int dims,
      SegmentKind kind = SegmentKind::kPlain);
  ~SegmentWriter();
  SegmentWriter(const SegmentWriter&) = delete;
  SegmentWriter& operator=(const SegmentWriter&) = delete;

  /// `vectors` is row-major [n, dims], 1 ≤ n ≤ 8,192, finite; ids in increasing order. After
  /// kInvalidArgument the writer is as before; any other failure is final.
  base::Status Add(UnitId id, std::span<const float> vectors);
  /// A unit of another segment of the same dims, unchanged.
  base::Status AddStored(UnitId id, const StoredVectors& vectors);
  /// Makes a plain segment complete and durable, its directory entry included.
  /// kFailedPrecondition when nothing was added.
  base::Result<SegmentInfo> Finish();
  /// The same for a coded one. Errors of `TrainCodebook` too.
  base::Result<SegmentInfo> FinishCoded(const SegmentCoding& coding,
                                        const base::CancelToken& cancel);

 private:
  SegmentWriter(io::FileSystem& files, std::string path, int dims, SegmentKind kind,
                std::unique_ptr<io::WritableFile> file);
  base::Status CheckNext(UnitId id, std::size_t vectors) const;
  void AppendVector(float scale);
  void AppendUnit(UnitId id, std::size_t vectors);
  base::Status FlushBlock();
  base::Status FlushIfFull();
  base::Status CheckComplete(SegmentKind kind) const;
  base::Status WriteTables();
  base::Status WriteCodes(const SegmentCoding& coding, const base::CancelToken& cancel);
  base::Status MakeDurable();
  SegmentInfo Info() const;

  io::FileSystem& files_;
  const std::string path_;
  const std::size_t dims_;
  const SegmentKind kind_;
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
