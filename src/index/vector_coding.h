// Short codes and lists of the vectors of a segment, a range of them at a time.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include "base/deadline.h"
#include "base/status.h"
#include "index/codebook.h"
#include "index/segment_reader.h"

namespace sightline::index {

/// Ranges start at multiples of this many vectors.
inline constexpr std::size_t kCodingAlignment = 32;

/// Which vectors, and with how much of the machine.
struct CodingRange {
  std::uint64_t first = 0;  ///< A multiple of kCodingAlignment.
  std::uint64_t count = 0;
  int threads = 1;
};

/// Bytes that the codes of `count` vectors take (docs/format/segment.md).
std::size_t CodedBytes(const Codec& codec, std::uint64_t count);

/// Writes the codes of a range of vectors to `codes` [CodedBytes], all zero before.
base::Status EncodeVectors(const SegmentReader& segment, const Codec& codec,
                           const CodingRange& range, std::span<std::uint8_t> codes,
                           const base::CancelToken& cancel);

/// Writes the number of the centroid of each vector of a range to `assignments` [count].
base::Status AssignVectors(const SegmentReader& segment, const Centroids& centroids,
                           const CodingRange& range, std::span<std::uint16_t> assignments,
                           const base::CancelToken& cancel);

/// Adds to `counts` [lists] how many units have a vector in each list. `unit_ends`: where the
/// vectors of each unit end in `assignments`.
void CountPostings(std::span<const std::uint16_t> assignments,
                   std::span<const std::uint64_t> unit_ends, std::span<std::uint64_t> counts);

/// Lists of which the postings are wanted: `ends` [lists] as in the format.
struct ListRange {
  std::size_t first = 0;
  std::size_t end = 0;
};

/// Writes the postings of some lists to `postings`, which begins with those of the first of them.
void FillPostings(std::span<const std::uint16_t> assignments,
                  std::span<const std::uint64_t> unit_ends, std::span<const std::uint64_t> ends,
                  const ListRange& lists, std::span<std::uint32_t> postings);

}  // namespace sightline::index
