#include "index/code_part_writer.h"

#include <algorithm>
#include <array>
#include <numeric>
#include <utility>

#include "base/digest.h"
#include "format/segment.h"
#include "index/mapped_numbers.h"
#include "index/vector_coding.h"

namespace sightline::index {
namespace {

using base::OkStatus;
using base::Result;
using base::Status;

/// Vectors that are coded between two writes.
constexpr std::uint64_t kVectorsAWrite = 131'072;
/// Postings that are put in order at a time: 32 MiB.
constexpr std::uint64_t kPostingsAPass = std::uint64_t{8} << 20U;

}  // namespace

CodePartWriter::CodePartWriter(io::FileSystem& files, io::WritableFile& file,
                               const SegmentReader& segment, const Codebook& codebook, int threads)
    : files_(files),
      file_(file),
      segment_(segment),
      codebook_(codebook),
      threads_(threads),
      list_ends_(codebook.centroids().count()) {
  const CodecSpec& spec = codebook.codec().spec();
  trailer_.codec = spec.kind;
  trailer_.sub_vectors =
      spec.kind == CodecKind::kBit ? 0 : static_cast<std::uint32_t>(spec.sub_vectors);
  trailer_.centroids = static_cast<std::uint32_t>(list_ends_.size());
  trailer_.trained_vectors = codebook.trained_vectors();
  trailer_.plain_bytes = file.size_bytes();
}

Status CodePartWriter::Append(std::span<const std::byte> bytes) {
  SIGHTLINE_RETURN_IF_ERROR(file_.Append(bytes));
  while (!bytes.empty()) {
    const auto part = bytes.first(std::min(bytes.size(), format::kCodePageBytes - page_bytes_));
    page_crc_ = base::Crc32c(part, page_crc_);
    page_bytes_ += part.size();
    bytes = bytes.subspan(part.size());
    if (page_bytes_ < format::kCodePageBytes) continue;
    checksums_.push_back(std::exchange(page_crc_, 0));
    page_bytes_ = 0;
  }
  return OkStatus();
}

Status CodePartWriter::Align() {
  static constexpr std::array<std::byte, format::kBlockAlignment> kZeros{};
  const std::size_t over = file_.size_bytes() % format::kBlockAlignment;
  return over == 0 ? OkStatus() : Append(std::span(kZeros).first(format::kBlockAlignment - over));
}

/// What has been read is not needed again: the file may be larger than memory.
void CodePartWriter::Forget(std::uint64_t first, std::uint64_t count) const {
  const format::BlockEntry& from = segment_.block(segment_.BlockOf(first));
  const format::BlockEntry& to = segment_.block(segment_.BlockOf(first + count - 1));
  segment_.mapped().Forget(from.offset, to.offset + to.size_bytes - from.offset);
}

Status CodePartWriter::WriteAssignments(const base::CancelToken& cancel) {
  assignments_offset_ = file_.size_bytes();
  std::vector<std::uint16_t> assignments;
  for (std::uint64_t first = 0; first < segment_.vector_count(); first += kVectorsAWrite) {
    const CodingRange range{first, std::min(kVectorsAWrite, segment_.vector_count() - first),
                            threads_};
    assignments.resize(range.count);
    SIGHTLINE_RETURN_IF_ERROR(
        AssignVectors(segment_, codebook_.centroids(), range, assignments, cancel));
    SIGHTLINE_RETURN_IF_ERROR(Append(std::as_bytes(std::span(assignments))));
    Forget(range.first, range.count);
  }
  return Align();
}

Result<std::unique_ptr<io::MappedBytes>> CodePartWriter::MapWritten() const {
  SIGHTLINE_ASSIGN_OR_RETURN(const auto file, files_.OpenForRead(file_.path()));
  return file->Map();
}

Status CodePartWriter::CountLists() {
  SIGHTLINE_ASSIGN_OR_RETURN(const auto written, MapWritten());
  const auto assignments =
      NumbersAt<std::uint16_t>(written->bytes(), assignments_offset_, segment_.vector_count());
  CountPostings(assignments, segment_.unit_ends(), list_ends_);
  std::partial_sum(list_ends_.begin(), list_ends_.end(), list_ends_.begin());
  trailer_.postings = list_ends_.back();
  SIGHTLINE_RETURN_IF_ERROR(Append(std::as_bytes(std::span(list_ends_))));
  return Align();
}

Status CodePartWriter::WriteCodes(const base::CancelToken& cancel) {
  std::vector<std::uint8_t> codes;
  for (std::uint64_t first = 0; first < segment_.vector_count(); first += kVectorsAWrite) {
    const CodingRange range{first, std::min(kVectorsAWrite, segment_.vector_count() - first),
                            threads_};
    codes.assign(CodedBytes(codebook_.codec(), range.count), 0);
    SIGHTLINE_RETURN_IF_ERROR(EncodeVectors(segment_, codebook_.codec(), range, codes, cancel));
    SIGHTLINE_RETURN_IF_ERROR(Append(std::as_bytes(std::span(codes))));
    Forget(range.first, range.count);
  }
  return Align();
}

Status CodePartWriter::WritePostings(const base::CancelToken& cancel) {
  SIGHTLINE_ASSIGN_OR_RETURN(const auto written, MapWritten());
  const auto assignments =
      NumbersAt<std::uint16_t>(written->bytes(), assignments_offset_, segment_.vector_count());
  std::vector<std::uint32_t> postings;
  for (ListRange lists; lists.end < list_ends_.size(); lists.first = lists.end) {
    SIGHTLINE_RETURN_IF_ERROR(cancel.Check());
    const std::uint64_t before = lists.first == 0 ? 0 : list_ends_[lists.first - 1];
    const auto after = std::ranges::upper_bound(list_ends_, before + kPostingsAPass);
    // One list may be longer than a pass.
    lists.end = std::max(lists.first + 1, static_cast<std::size_t>(after - list_ends_.begin()));
    postings.assign(list_ends_[lists.end - 1] - before, 0);
    FillPostings(assignments, segment_.unit_ends(), list_ends_, lists, postings);
    SIGHTLINE_RETURN_IF_ERROR(Append(std::as_bytes(std::span(postings))));
  }
  return Align();
}

Status CodePartWriter::WriteTrailer() {
  if (page_bytes_ > 0) checksums_.push_back(page_crc_);
  const auto checksums = std::as_bytes(std::span(checksums_));
  trailer_.checksums_crc = base::Crc32c(checksums);
  SIGHTLINE_RETURN_IF_ERROR(Append(checksums));
  SIGHTLINE_RETURN_IF_ERROR(Align());
  return file_.Append(format::EncodeCodeTrailer(trailer_));
}

Status CodePartWriter::Write(const base::CancelToken& cancel) {
  SIGHTLINE_RETURN_IF_ERROR(Align());
  // Checksums begin with the codebook.
  checksums_.clear();
  page_crc_ = 0;
  page_bytes_ = 0;
  SIGHTLINE_RETURN_IF_ERROR(Append(std::as_bytes(codebook_.codec().codebook())));
  SIGHTLINE_RETURN_IF_ERROR(Align());
  SIGHTLINE_RETURN_IF_ERROR(Append(std::as_bytes(codebook_.centroids().groups())));
  SIGHTLINE_RETURN_IF_ERROR(Align());
  if (!list_ends_.empty()) {
    SIGHTLINE_RETURN_IF_ERROR(WriteAssignments(cancel));
    SIGHTLINE_RETURN_IF_ERROR(CountLists());
  }
  SIGHTLINE_RETURN_IF_ERROR(WriteCodes(cancel));
  if (!list_ends_.empty()) SIGHTLINE_RETURN_IF_ERROR(WritePostings(cancel));
  return WriteTrailer();
}

}  // namespace sightline::index
