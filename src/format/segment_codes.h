// The part of a segment file that makes search fast: short codes and inverted lists, which follow
// the plain segment. Pure bytes <-> structs; the layout is docs/format/segment.md.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>

#include "base/result.h"
#include "format/codec_kind.h"

namespace sightline::format {

inline constexpr std::size_t kCodeTrailerBytes = 128;
/// The code part has a checksum for each so many bytes.
inline constexpr std::size_t kCodePageBytes = 4096;
inline constexpr std::uint32_t kMaxCentroids = 65'536;
/// Of pq4, so that sums of table entries fit 16 bits.
inline constexpr std::uint32_t kMaxPq4SubVectors = 1'024;

/// What the code part says of itself, at the end of the file.
struct CodeTrailer {
  CodecKind codec = CodecKind::kPq4;
  /// Of product quantisation; 0 for `kBit`.
  std::uint32_t sub_vectors = 0;
  /// Inverted lists: a multiple of 16, at most kMaxCentroids; 0: there are none.
  std::uint32_t centroids = 0;
  /// Vectors that the space had when the codebook was learned.
  std::uint64_t trained_vectors = 0;
  /// Entries of all lists together.
  std::uint64_t postings = 0;
  /// Size of the plain segment in front.
  std::uint64_t plain_bytes = 0;
  /// Of the table of checksums.
  std::uint32_t checksums_crc = 0;
};

/// Where the pieces of a code part are in the file; each ends where the next one begins, up to
/// zero bytes that make the next offset a multiple of 64.
struct CodeLayout {
  std::uint64_t codebook = 0;     ///< f32, see CodebookNumbers.
  std::uint64_t centroids = 0;    ///< centroids ÷ 16 groups of int8 vectors.
  std::uint64_t assignments = 0;  ///< u16 [vectors]: the centroid of each; none without lists.
  std::uint64_t list_ends = 0;    ///< u64 [centroids]: postings up to and including each list.
  std::uint64_t codes = 0;        ///< See CodeBytes.
  std::uint64_t postings = 0;     ///< u32 [postings]: indices of units.
  std::uint64_t checksums = 0;    ///< u32 a page of what lies from `codebook` on.
  std::uint64_t trailer = 0;
  std::uint64_t file_bytes = 0;
};

/// Numbers of a codebook for `dims`.
std::uint64_t CodebookNumbers(CodecKind codec, std::uint64_t dims);
/// Bytes of the code of one vector, before pq4 is interleaved.
std::uint64_t CodeBytesOf(CodecKind codec, std::uint64_t sub_vectors, std::uint64_t dims);
/// Bytes of the codes of `vectors` ≤ 2^40 vectors: pq4 in groups of 32 (kernels/pq4_scan.h), the
/// others one after the other.
std::uint64_t CodeBytes(const CodeTrailer& trailer, std::uint64_t dims, std::uint64_t vectors);
/// Where everything is, given a trailer whose numbers are within their limits.
CodeLayout LayOutCodes(const CodeTrailer& trailer, std::uint64_t dims, std::uint64_t vectors);

/// The bytes of a trailer, checksum included.
std::array<std::byte, kCodeTrailerBytes> EncodeCodeTrailer(const CodeTrailer& trailer);
/// `file` is a whole file with a code part. Checks the trailer and that the plain segment that it
/// names lies in the file; kDataLoss names the offset.
base::Result<CodeTrailer> DecodeCodeTrailer(std::span<const std::byte> file);
/// Whether the codec suits the plain segment's `dims`, and all pieces for its `units` and `vectors`
/// fill the rest of a file of `file_bytes` exactly.
base::Status CheckCodeTrailer(const CodeTrailer& trailer, std::uint64_t dims, std::uint64_t units,
                              std::uint64_t vectors, std::uint64_t file_bytes);

}  // namespace sightline::format
