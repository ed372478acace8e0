#include "index/flat_codes.h"

#include <algorithm>
#include <atomic>
#include <string>
#include <thread>
#include <utility>

#include "base/mutex.h"
#include "index/top_k.h"

namespace sightline::index {
namespace {

using base::OkStatus;
using base::Result;
using base::Status;

/// Vectors that a codebook is learned from, at most.
constexpr std::uint64_t kMaxSample = 32'768;
/// Vectors that a thread encodes at a time: whole groups, so that no two threads share one.
constexpr std::size_t kVectorsAPart = kernels::kPq4Lanes * 64;
/// Units that are scored between two looks at the token.
constexpr std::size_t kUnitsBetweenChecks = 256;

std::uint64_t VectorCount(Segments segments) {
  std::uint64_t count = 0;
  for (const auto& segment : segments) count += segment->vector_count();
  return count;
}

/// Reads vectors of segments as floats, by their number in all segments; forwards only.
class VectorCursor {
 public:
  explicit VectorCursor(Segments segments)
      : segments_(segments), codes_(segments.front()->dims()) {}

  /// Writes vector `index` to `out` [dims]; indices must not fall.
  Status Read(std::uint64_t index, std::span<float> out) {
    SIGHTLINE_RETURN_IF_ERROR(MoveTo(index));
    const float scale = vectors_.Load(index - first_, codes_);
    for (std::size_t d = 0; d < out.size(); ++d) out[d] = static_cast<float>(codes_[d]) * scale;
    return OkStatus();
  }

 private:
  Status MoveTo(std::uint64_t index) {
    if (is_open_ && index < first_ + vectors_.size()) return OkStatus();
    while (index - before_ >= segments_[segment_]->vector_count()) {
      before_ += segments_[segment_++]->vector_count();
      unit_ = 0;
    }
    const SegmentReader& segment = *segments_[segment_];
    // Long jumps happen only while sampling.
    while (before_ + segment.first_vector(unit_ + 1) <= index) ++unit_;
    SIGHTLINE_ASSIGN_OR_RETURN(vectors_, segment.UnitVectors(unit_));
    first_ = before_ + segment.first_vector(unit_);
    is_open_ = true;
    return OkStatus();
  }

  const Segments segments_;
  std::vector<std::int8_t> codes_;
  StoredVectors vectors_;
  bool is_open_ = false;
  std::size_t segment_ = 0;
  std::size_t unit_ = 0;
  std::uint64_t before_ = 0;  // Vectors of the segments before this one.
  std::uint64_t first_ = 0;   // Number of the first of `vectors_`.
};

/// Evenly spread over all vectors.
Result<std::vector<float>> Sample(Segments segments, const base::CancelToken& cancel) {
  const std::uint64_t count = VectorCount(segments);
  const std::uint64_t wanted = std::min(count, kMaxSample);
  const std::size_t dims = segments.front()->dims();
  std::vector<float> sample(static_cast<std::size_t>(wanted) * dims);
  VectorCursor cursor(segments);
  for (std::uint64_t i = 0; i < wanted; ++i) {
    if (i % kVectorsAPart == 0) SIGHTLINE_RETURN_IF_ERROR(cancel.Check());
    const auto place = std::span(sample).subspan(static_cast<std::size_t>(i) * dims, dims);
    SIGHTLINE_RETURN_IF_ERROR(cursor.Read(i * count / wanted, place));
  }
  return sample;
}

Status CheckSegments(Segments segments) {
  if (segments.empty()) return base::InvalidArgument("there is no segment to make codes of");
  for (const auto& segment : segments) {
    if (segment->dims() != segments.front()->dims()) {
      return base::InvalidArgument("segments of one space must have the same dims: " +
                                   segment->path());
    }
  }
  return OkStatus();
}

}  // namespace

Result<std::unique_ptr<const FlatCodes>> FlatCodes::Build(Segments segments,
                                                          const FlatCodesOptions& options,
                                                          const base::CancelToken& cancel) {
  SIGHTLINE_RETURN_IF_ERROR(CheckSegments(segments));
  const std::size_t dims = segments.front()->dims();
  CodecSpec spec{CodecKind::kPq4, dims, options.sub_vectors};
  if (spec.sub_vectors == 0) spec.sub_vectors = dims % 4 == 0 ? dims / 4 : dims;
  if (spec.sub_vectors > kernels::kPq4MaxSubVectors) {
    return base::InvalidArgument("codes to scan have at most 1024 sub-vectors: " +
                                 std::to_string(spec.sub_vectors));
  }
  SIGHTLINE_ASSIGN_OR_RETURN(const std::vector<float> sample, Sample(segments, cancel));
  SIGHTLINE_ASSIGN_OR_RETURN(std::unique_ptr<Codec> codec,
                             TrainCodec(spec, sample, options.training, cancel));
  std::unique_ptr<FlatCodes> codes(new FlatCodes(segments, std::move(codec)));
  SIGHTLINE_RETURN_IF_ERROR(codes->Encode(segments, options.training.threads, cancel));
  return std::unique_ptr<const FlatCodes>(std::move(codes));
}

FlatCodes::FlatCodes(Segments segments, std::unique_ptr<Codec> codec)
    : codec_(std::move(codec)),
      groups_(codec_->spec().sub_vectors, static_cast<std::size_t>(VectorCount(segments))) {
  std::size_t before = 0;
  for (const auto& segment : segments) {
    for (std::size_t unit = 0; unit < segment->unit_count(); ++unit) {
      ids_.push_back(segment->unit_id(unit));
      ends_.push_back(before + segment->first_vector(unit + 1));
    }
    before = ends_.empty() ? 0 : ends_.back();
  }
}

Status FlatCodes::Encode(Segments segments, int threads, const base::CancelToken& cancel) {
  const auto count = static_cast<std::size_t>(VectorCount(segments));
  std::atomic<std::size_t> next = 0;
  base::Mutex mutex;
  Status failure;
  const auto encode_part = [&](VectorCursor& cursor, std::size_t first) -> Status {
    SIGHTLINE_RETURN_IF_ERROR(cancel.Check());
    std::vector<float> vector(codec_->spec().dims);
    std::vector<std::uint8_t> code(codec_->code_bytes());
    for (std::size_t i = first; i < std::min(count, first + kVectorsAPart); ++i) {
      SIGHTLINE_RETURN_IF_ERROR(cursor.Read(i, vector));
      codec_->Encode(vector, code);
      groups_.Store(i, code);
    }
    return OkStatus();
  };
  const auto work = [&] {
    VectorCursor cursor(segments);
    for (std::size_t first = next.fetch_add(kVectorsAPart); first < count;
         first = next.fetch_add(kVectorsAPart)) {
      const Status encoded = encode_part(cursor, first);
      if (encoded.ok()) continue;
      const base::MutexLock lock(mutex);
      failure = encoded;
      next = count;
    }
  };
  std::vector<std::thread> others;
  for (int i = 1; i < threads; ++i) others.emplace_back(work);
  work();
  for (std::thread& other : others) other.join();
  return failure;
}

std::size_t FlatCodes::hot_bytes() const {
  return groups_.bytes().size() + ids_.size() * sizeof(UnitId) + ends_.size() * sizeof(ends_[0]) +
         codec_->codebook().size_bytes();
}

Result<std::vector<ScoredUnit>> FlatCodes::Candidates(const Pq4Query& query, std::size_t count,
                                                      const Selection& selection,
                                                      const base::CancelToken& cancel) const {
  TopK top(count);
  Pq4Scorer scorer(query, groups_);
  for (std::size_t unit = 0; unit < ids_.size(); ++unit) {
    if (unit % kUnitsBetweenChecks == 0) SIGHTLINE_RETURN_IF_ERROR(cancel.Check());
    if (!selection.Allows(ids_[unit])) continue;
    top.Push({ids_[unit], scorer.MaxSim(unit == 0 ? 0 : ends_[unit - 1], ends_[unit])});
  }
  return top.Take();
}

Result<std::vector<ScoredUnit>> FlatSearch(const FlatCodes& codes, std::span<const float> query,
                                           std::size_t top_k, std::size_t candidates,
                                           Segments segments, const Selection& selection,
                                           const base::CancelToken& cancel) {
  const auto dims = static_cast<int>(codes.codec().spec().dims);
  SIGHTLINE_ASSIGN_OR_RETURN(const kernels::QueryBatch exact, PrepareQuery(query, dims));
  const Pq4Query by_code(codes.codec(), query);
  SIGHTLINE_ASSIGN_OR_RETURN(
      const std::vector<ScoredUnit> chosen,
      codes.Candidates(by_code, std::max(top_k, candidates), selection, cancel));
  std::vector<UnitId> ids;
  for (const ScoredUnit& unit : chosen) ids.push_back(unit.id);
  SIGHTLINE_ASSIGN_OR_RETURN(std::vector<ScoredUnit> scored,
                             ExactScores(exact, ids, segments, selection, cancel));
  if (scored.size() > top_k) scored.resize(top_k);
  return scored;
}

}  // namespace sightline::index
