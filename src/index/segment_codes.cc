#include "index/segment_codes.h"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <string>
#include <utility>

#include "base/digest.h"
#include "index/mapped_numbers.h"
#include "index/vector_coding.h"
#include "kernels/pq4_layout.h"

namespace sightline::index {
namespace {

using base::OkStatus;
using base::Result;
using base::Status;

constexpr std::size_t kPage = format::kCodePageBytes;

bool AllZero(std::span<const std::byte> bytes) {
  return std::ranges::all_of(bytes, [](std::byte b) { return b == std::byte{0}; });
}

}  // namespace

Result<SegmentCodes::Pointer> SegmentCodes::Open(Segment segment,
                                                 std::shared_ptr<const Codebook> known) {
  if (!segment->code_trailer()) {
    return base::FailedPrecondition("the segment has no codes: " + segment->path());
  }
  const std::shared_ptr<SegmentCodes> codes(new SegmentCodes(std::move(segment)));
  SIGHTLINE_RETURN_IF_ERROR(codes->Load(std::move(known)));
  return Pointer(codes);
}

Result<SegmentCodes::Pointer> SegmentCodes::Encode(Segment segment,
                                                   std::shared_ptr<const Codebook> codebook,
                                                   int threads, const base::CancelToken& cancel) {
  const std::shared_ptr<SegmentCodes> made(new SegmentCodes(std::move(segment)));
  const SegmentReader& from = *made->segment_;
  if (from.dims() != codebook->codec().spec().dims) {
    return base::InvalidArgument("the codebook does not have the segment's dims: " + from.path());
  }
  made->codebook_ = std::move(codebook);
  const Codec& codec = made->codebook_->codec();
  const CodingRange all{0, from.vector_count(), threads};
  made->own_codes_.resize(CodedBytes(codec, all.count));
  SIGHTLINE_RETURN_IF_ERROR(EncodeVectors(from, codec, all, made->own_codes_, cancel));
  made->codes_ = made->own_codes_;
  const Centroids& centroids = made->codebook_->centroids();
  if (centroids.count() == 0) return Pointer(made);
  std::vector<std::uint16_t> assignments(all.count);
  SIGHTLINE_RETURN_IF_ERROR(AssignVectors(from, centroids, all, assignments, cancel));
  auto& ends = made->own_ends_;
  ends.resize(centroids.count());
  CountPostings(assignments, from.unit_ends(), ends);
  std::partial_sum(ends.begin(), ends.end(), ends.begin());
  made->own_postings_.resize(ends.back());
  FillPostings(assignments, from.unit_ends(), ends, {0, ends.size()}, made->own_postings_);
  made->list_ends_ = ends;
  made->postings_ = made->own_postings_;
  return Pointer(made);
}

Status SegmentCodes::Damaged(std::string_view what, std::uint64_t offset) const {
  return base::DataLoss("the segment file is damaged: " + std::string(what) + ": " +
                        segment_->path() + " at offset " + std::to_string(offset));
}

Status SegmentCodes::Load(std::shared_ptr<const Codebook> known) {
  const auto file = segment_->mapped().bytes();
  const format::CodeTrailer& trailer = *segment_->code_trailer();
  const std::uint64_t vectors = segment_->vector_count();
  const std::size_t dims = segment_->dims();
  layout_ = format::LayOutCodes(trailer, dims, vectors);
  const std::uint64_t pages = (layout_.checksums - layout_.codebook + kPage - 1) / kPage;
  checksums_ = NumbersAt<std::uint32_t>(file, layout_.checksums, pages);
  if (base::Crc32c(std::as_bytes(checksums_)) != trailer.checksums_crc) {
    return Damaged("the checksum of its checksums is wrong", layout_.checksums);
  }
  checked_ = std::vector<std::atomic<bool>>(pages);
  segment_->mapped().WillNeed(layout_.codebook, layout_.assignments - layout_.codebook);
  segment_->mapped().WillNeed(layout_.list_ends, layout_.codes - layout_.list_ends);
  SIGHTLINE_RETURN_IF_ERROR(CheckGaps());
  codes_ = NumbersAt<std::uint8_t>(file, layout_.codes, format::CodeBytes(trailer, dims, vectors));
  if (trailer.centroids > 0) {
    assignments_ = NumbersAt<std::uint16_t>(file, layout_.assignments, vectors);
    list_ends_ = NumbersAt<std::uint64_t>(file, layout_.list_ends, trailer.centroids);
    postings_ = NumbersAt<std::uint32_t>(file, layout_.postings, trailer.postings);
  }
  SIGHTLINE_RETURN_IF_ERROR(LoadCodebook(std::move(known)));
  return CheckLists();
}

/// What no checksum covers is zero.
Status SegmentCodes::CheckGaps() const {
  const auto file = segment_->mapped().bytes();
  const std::uint64_t plain = segment_->code_trailer()->plain_bytes;
  if (!AllZero(file.subspan(plain, layout_.codebook - plain))) {
    return Damaged("bytes that must be zero are not", plain);
  }
  const std::uint64_t end = layout_.checksums + checksums_.size_bytes();
  if (!AllZero(file.subspan(end, layout_.trailer - end))) {
    return Damaged("bytes that must be zero are not", end);
  }
  return OkStatus();
}

Status SegmentCodes::LoadCodebook(std::shared_ptr<const Codebook> known) {
  const auto file = segment_->mapped().bytes();
  const format::CodeTrailer& trailer = *segment_->code_trailer();
  const std::size_t dims = segment_->dims();
  const std::uint64_t numbers = format::CodebookNumbers(trailer.codec, dims);
  const auto codebook = NumbersAt<float>(file, layout_.codebook, numbers);
  const std::size_t group_bytes = kernels::GroupBytes(dims);
  const auto groups = NumbersAt<std::uint8_t>(
      file, layout_.centroids, trailer.centroids / kernels::kGroupLanes * group_bytes);
  SIGHTLINE_RETURN_IF_ERROR(CheckPages(std::as_bytes(codebook)));
  SIGHTLINE_RETURN_IF_ERROR(CheckPages(std::as_bytes(groups)));
  for (std::size_t at = 0; at < groups.size(); at += group_bytes) {
    for (const float scale : kernels::GroupScales(groups.data() + at, dims)) {
      if (std::isfinite(scale) && scale >= 0) continue;
      return Damaged("a centroid has an impossible scale", layout_.centroids + at);
    }
  }
  auto codec = MakeCodec({trailer.codec, dims, trailer.sub_vectors},
                         std::vector<float>(codebook.begin(), codebook.end()));
  if (!codec.ok()) return Damaged(codec.status().message(), layout_.codebook);
  codebook_ = std::make_shared<Codebook>(*std::move(codec), Centroids(groups, dims),
                                         trailer.trained_vectors);
  if (known != nullptr && known->id() == codebook_->id()) codebook_ = std::move(known);
  return OkStatus();
}

Status SegmentCodes::CheckLists() const {
  SIGHTLINE_RETURN_IF_ERROR(CheckPages(std::as_bytes(list_ends_)));
  std::uint64_t last = 0;
  for (std::size_t list = 0; list < list_ends_.size(); ++list) {
    if (list_ends_[list] < last) {
      return Damaged("list ends fall", layout_.list_ends + list * sizeof(last));
    }
    last = list_ends_[list];
  }
  if (last == postings_.size()) return OkStatus();
  return Damaged("lists and postings do not agree", layout_.list_ends);
}

Status SegmentCodes::CheckPage(std::size_t page) const {
  if (checked_[page].load(std::memory_order_acquire)) return OkStatus();
  const auto file = segment_->mapped().bytes();
  const std::uint64_t first = layout_.codebook + page * kPage;
  const std::uint64_t end = std::min<std::uint64_t>(first + kPage, layout_.checksums);
  if (base::Crc32c(file.subspan(first, end - first)) != checksums_[page]) {
    return Damaged("the checksum of a page of codes is wrong", first);
  }
  const std::uint64_t units = segment_->unit_count();
  const std::uint64_t postings_end = layout_.postings + postings_.size_bytes();
  for (std::uint64_t at = std::max(first, layout_.postings); at < std::min(end, postings_end);
       at += sizeof(std::uint32_t)) {
    if (postings_[(at - layout_.postings) / sizeof(std::uint32_t)] >= units) {
      return Damaged("a list names a unit that does not exist", at);
    }
  }
  checked_[page].store(true, std::memory_order_release);
  return OkStatus();
}

/// `bytes` are some of the file's, or of those in memory.
Status SegmentCodes::CheckPages(std::span<const std::byte> bytes) const {
  if (checked_.empty() || bytes.empty()) return OkStatus();
  const auto offset = static_cast<std::uint64_t>(bytes.data() - segment_->mapped().bytes().data()) -
                      layout_.codebook;
  for (std::size_t page = offset / kPage; page <= (offset + bytes.size() - 1) / kPage; ++page) {
    SIGHTLINE_RETURN_IF_ERROR(CheckPage(page));
  }
  return OkStatus();
}

void SegmentCodes::WillBeNeeded(std::span<const std::byte> bytes) const {
  if (checked_.empty() || bytes.empty()) return;
  const auto offset = static_cast<std::uint64_t>(bytes.data() - segment_->mapped().bytes().data());
  const std::size_t page = (offset - layout_.codebook) / kPage;
  if (checked_[page].load(std::memory_order_relaxed)) return;
  segment_->mapped().WillNeed(offset, bytes.size());
}

std::span<const std::byte> SegmentCodes::CodesOf(kernels::VectorRange range) const {
  const CodecSpec& spec = codebook_->codec().spec();
  const bool grouped = spec.kind == CodecKind::kPq4;
  const std::size_t lanes = grouped ? kernels::kPq4Lanes : 1;
  const std::size_t group_bytes =
      grouped ? kernels::Pq4GroupBytes(spec.sub_vectors) : codebook_->codec().code_bytes();
  const std::size_t first = range.first / lanes * group_bytes;
  const std::size_t end = (range.end + lanes - 1) / lanes * group_bytes;
  return std::as_bytes(codes_.subspan(first, end - first));
}

Result<const std::uint8_t*> SegmentCodes::Codes(kernels::VectorRange range) const {
  SIGHTLINE_RETURN_IF_ERROR(CheckPages(CodesOf(range)));
  return codes_.data();
}

std::span<const std::uint32_t> SegmentCodes::PostingsOf(std::size_t list) const {
  const std::uint64_t first = list == 0 ? 0 : list_ends_[list - 1];
  return postings_.subspan(first, list_ends_[list] - first);
}

Result<std::span<const std::uint32_t>> SegmentCodes::List(std::size_t list) const {
  const auto postings = PostingsOf(list);
  SIGHTLINE_RETURN_IF_ERROR(CheckPages(std::as_bytes(postings)));
  return postings;
}

void SegmentCodes::CodesWillBeNeeded(kernels::VectorRange range) const {
  WillBeNeeded(CodesOf(range));
}

void SegmentCodes::ListWillBeNeeded(std::size_t list) const {
  WillBeNeeded(std::as_bytes(PostingsOf(list)));
}

Status SegmentCodes::Verify() const {
  for (std::size_t page = 0; page < checked_.size(); ++page) {
    SIGHTLINE_RETURN_IF_ERROR(CheckPage(page));
  }
  for (std::size_t i = 0; i < assignments_.size(); ++i) {
    if (assignments_[i] < list_ends_.size()) continue;
    return Damaged("a vector is in a list that does not exist",
                   layout_.assignments + i * sizeof(std::uint16_t));
  }
  return OkStatus();
}

std::size_t SegmentCodes::hot_bytes() const {
  return codes_.size() + list_ends_.size_bytes() + postings_.size_bytes();
}

}  // namespace sightline::index
