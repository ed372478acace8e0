// The vectors of a segment as floats, by their number.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "base/result.h"
#include "index/segment_reader.h"

namespace sightline::index {

/// Fast where the next vector is near the last one. Not thread-safe: one a thread.
class VectorReader {
 public:
  /// `segment` must live longer.
  explicit VectorReader(const SegmentReader& segment) : segment_(segment), codes_(segment.dims()) {}

  /// Writes vectors [first, first + out.size() ÷ dims) of the segment to `out` [n, dims]; they must
  /// exist. kDataLoss for a damaged block.
  base::Status Read(std::uint64_t first, std::span<float> out);

 private:
  base::Status MoveTo(std::uint64_t vector);

  const SegmentReader& segment_;
  std::vector<std::int8_t> codes_;
  StoredVectors block_;      // All vectors of the block in work.
  std::uint64_t first_ = 0;  // Number of its first.
};

}  // namespace sightline::index
