// Writes the code part of a segment behind its plain part.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "base/deadline.h"
#include "base/result.h"
#include "format/segment_codes.h"
#include "index/codebook.h"
#include "index/segment_reader.h"
#include "io/file_system.h"

namespace sightline::index {

/// Streaming: memory does not grow with the vectors, but for 4 bytes of each 4 KiB and the lists.
/// Not thread-safe.
class CodePartWriter {
 public:
  /// `file` ends with the plain part of a coded segment, which `segment` reads. All must live
  /// longer.
  CodePartWriter(io::FileSystem& files, io::WritableFile& file, const SegmentReader& segment,
                 const Codebook& codebook, int threads);

  /// Writes everything; does not sync. A failure leaves a file that is not a segment.
  base::Status Write(const base::CancelToken& cancel);

 private:
  base::Status Append(std::span<const std::byte> bytes);
  base::Status Align();
  base::Status WriteAssignments(const base::CancelToken& cancel);
  base::Status CountLists();
  base::Status WriteCodes(const base::CancelToken& cancel);
  base::Status WritePostings(const base::CancelToken& cancel);
  base::Status WriteTrailer();
  base::Result<std::unique_ptr<io::MappedBytes>> MapWritten() const;
  void Forget(std::uint64_t first, std::uint64_t count) const;

  io::FileSystem& files_;
  io::WritableFile& file_;
  const SegmentReader& segment_;
  const Codebook& codebook_;
  const int threads_;
  format::CodeTrailer trailer_;
  std::uint64_t assignments_offset_ = 0;
  std::vector<std::uint64_t> list_ends_;
  // Of the pages that are full, and of the one in work.
  std::vector<std::uint32_t> checksums_;
  std::uint32_t page_crc_ = 0;
  std::size_t page_bytes_ = 0;
};

}  // namespace sightline::index
