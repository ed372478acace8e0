#include "format/segment_codes.h"

#include <algorithm>
#include <cstring>
#include <string>
#include <string_view>

#include "base/digest.h"
#include "format/little_endian.h"
#include "format/segment.h"
#include "kernels/pq4_layout.h"

namespace sightline::format {
namespace {

using base::Result;
using base::Status;

constexpr std::string_view kMagic = "SEGCODES";
constexpr std::size_t kCrcOffset = kCodeTrailerBytes - 4;
constexpr std::size_t kUsed = 52;
static_assert(kMaxPq4SubVectors == kernels::kPq4MaxSubVectors);

Status Damaged(std::string_view what, std::uint64_t offset) {
  return base::DataLoss("the segment file is damaged: " + std::string(what) + " at offset " +
                        std::to_string(offset));
}

std::uint64_t Aligned(std::uint64_t offset) {
  return (offset + kBlockAlignment - 1) / kBlockAlignment * kBlockAlignment;
}

bool CodecSuits(const CodeTrailer& trailer, std::uint64_t dims) {
  if (trailer.codec == CodecKind::kBit) return trailer.sub_vectors == 0;
  if (trailer.sub_vectors == 0 || dims % trailer.sub_vectors != 0) return false;
  if (trailer.codec == CodecKind::kPq4) return trailer.sub_vectors <= kMaxPq4SubVectors;
  return trailer.codec == CodecKind::kPq8;
}

}  // namespace

std::uint64_t CodebookNumbers(CodecKind codec, std::uint64_t dims) {
  switch (codec) {
    case CodecKind::kInt8:
      return 0;
    case CodecKind::kPq4:
      return dims * 16;
    case CodecKind::kPq8:
      return dims * 256;
    case CodecKind::kBit:
      return dims * 2;
  }
  return 0;
}

std::uint64_t CodeBytesOf(CodecKind codec, std::uint64_t sub_vectors, std::uint64_t dims) {
  switch (codec) {
    case CodecKind::kInt8:
      return dims + sizeof(float);
    case CodecKind::kPq4:
      return (sub_vectors + 1) / 2;
    case CodecKind::kPq8:
      return sub_vectors;
    case CodecKind::kBit:
      return (dims + 7) / 8;
  }
  return 0;
}

std::uint64_t CodeBytes(const CodeTrailer& trailer, std::uint64_t dims, std::uint64_t vectors) {
  if (trailer.codec != CodecKind::kPq4) {
    return vectors * CodeBytesOf(trailer.codec, trailer.sub_vectors, dims);
  }
  const std::uint64_t groups = (vectors + kernels::kPq4Lanes - 1) / kernels::kPq4Lanes;
  return groups * kernels::Pq4GroupBytes(trailer.sub_vectors);
}

CodeLayout LayOutCodes(const CodeTrailer& trailer, std::uint64_t dims, std::uint64_t vectors) {
  const std::uint64_t lists = trailer.centroids;
  CodeLayout at;
  at.codebook = Aligned(trailer.plain_bytes);
  at.centroids = Aligned(at.codebook + CodebookNumbers(trailer.codec, dims) * sizeof(float));
  at.assignments = Aligned(at.centroids + lists / kernels::kGroupLanes * kernels::GroupBytes(dims));
  at.list_ends = Aligned(at.assignments + (lists == 0 ? 0 : vectors * sizeof(std::uint16_t)));
  at.codes = Aligned(at.list_ends + lists * sizeof(std::uint64_t));
  at.postings = Aligned(at.codes + CodeBytes(trailer, dims, vectors));
  at.checksums = Aligned(at.postings + trailer.postings * sizeof(std::uint32_t));
  const std::uint64_t pages = (at.checksums - at.codebook + kCodePageBytes - 1) / kCodePageBytes;
  at.trailer = Aligned(at.checksums + pages * sizeof(std::uint32_t));
  at.file_bytes = at.trailer + kCodeTrailerBytes;
  return at;
}

std::array<std::byte, kCodeTrailerBytes> EncodeCodeTrailer(const CodeTrailer& trailer) {
  std::array<std::byte, kCodeTrailerBytes> bytes{};
  std::memcpy(bytes.data(), kMagic.data(), kMagic.size());
  StoreLittleEndian(bytes, 8, static_cast<std::uint32_t>(trailer.codec));
  StoreLittleEndian(bytes, 12, trailer.sub_vectors);
  StoreLittleEndian(bytes, 16, trailer.centroids);
  StoreLittleEndian(bytes, 24, trailer.trained_vectors);
  StoreLittleEndian(bytes, 32, trailer.postings);
  StoreLittleEndian(bytes, 40, trailer.plain_bytes);
  StoreLittleEndian(bytes, 48, trailer.checksums_crc);
  StoreLittleEndian(bytes, kCrcOffset, base::Crc32c(std::span(bytes).first(kCrcOffset)));
  return bytes;
}

Result<CodeTrailer> DecodeCodeTrailer(std::span<const std::byte> file) {
  constexpr std::size_t kLeast = kSegmentHeaderBytes + kSegmentFooterBytes + kCodeTrailerBytes;
  if (file.size() < kLeast) return Damaged("it ends before its trailer", file.size());
  const std::uint64_t start = file.size() - kCodeTrailerBytes;
  const auto bytes = file.subspan(start);
  if (std::memcmp(bytes.data(), kMagic.data(), kMagic.size()) != 0) {
    return Damaged("it was not finished: no trailer", start);
  }
  if (LoadLittleEndian<std::uint32_t>(bytes, kCrcOffset) != base::Crc32c(bytes.first(kCrcOffset))) {
    return Damaged("the trailer's checksum is wrong", start);
  }
  CodeTrailer trailer;
  trailer.codec = static_cast<CodecKind>(LoadLittleEndian<std::uint32_t>(bytes, 8));
  trailer.sub_vectors = LoadLittleEndian<std::uint32_t>(bytes, 12);
  trailer.centroids = LoadLittleEndian<std::uint32_t>(bytes, 16);
  trailer.trained_vectors = LoadLittleEndian<std::uint64_t>(bytes, 24);
  trailer.postings = LoadLittleEndian<std::uint64_t>(bytes, 32);
  trailer.plain_bytes = LoadLittleEndian<std::uint64_t>(bytes, 40);
  trailer.checksums_crc = LoadLittleEndian<std::uint32_t>(bytes, 48);
  const auto zero = bytes.subspan(kUsed, kCrcOffset - kUsed);
  if (trailer.plain_bytes > start || LoadLittleEndian<std::uint32_t>(bytes, 20) != 0 ||
      std::ranges::any_of(zero, [](std::byte b) { return b != std::byte{0}; })) {
    return Damaged("the trailer does not fit the file", start);
  }
  return trailer;
}

Status CheckCodeTrailer(const CodeTrailer& trailer, std::uint64_t dims, std::uint64_t units,
                        std::uint64_t vectors, std::uint64_t file_bytes) {
  const std::uint64_t start = file_bytes - kCodeTrailerBytes;
  const bool lists_are_sound =
      trailer.centroids % kernels::kGroupLanes == 0 && trailer.centroids <= kMaxCentroids &&
      trailer.postings <= vectors &&
      (trailer.centroids == 0 ? trailer.postings == 0 : trailer.postings >= units);
  if (!CodecSuits(trailer, dims) || !lists_are_sound) {
    return Damaged("the trailer holds impossible values", start);
  }
  if (LayOutCodes(trailer, dims, vectors).file_bytes != file_bytes) {
    return Damaged("the code part does not fit the file", start);
  }
  return base::OkStatus();
}

}  // namespace sightline::format
