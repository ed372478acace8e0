#include "index/codebook_trainer.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <utility>
#include <vector>

#include "format/segment_codes.h"
#include "index/centroid_trainer.h"
#include "index/vector_reader.h"

namespace sightline::index {
namespace {

using base::OkStatus;
using base::Result;
using base::Status;

/// Vectors that the codec learns from.
constexpr std::uint64_t kCodecSample = 32'768;
/// Vectors that centroids learn from, for each of them.
constexpr std::uint64_t kSamplesAList = 64;
constexpr std::size_t kVectorsBetweenChecks = 4'096;
/// Share of the work that the codec is.
constexpr double kCodecShare = 0.3;

/// Hands `use` every one of `wanted` vectors that are spread evenly over the segment.
template <typename Use>
Status ForSample(const SegmentReader& segment, std::uint64_t wanted,
                 const base::CancelToken& cancel, const Use& use) {
  const std::uint64_t count = segment.vector_count();
  wanted = std::min(wanted, count);
  VectorReader reader(segment);
  std::vector<float> vector(segment.dims());
  for (std::uint64_t i = 0; i < wanted; ++i) {
    if (i % kVectorsBetweenChecks == 0) {
      SIGHTLINE_RETURN_IF_ERROR(cancel.Check());
      // The file may be larger than memory.
      segment.mapped().Forget(0, segment.size_bytes());
    }
    SIGHTLINE_RETURN_IF_ERROR(reader.Read(i * count / wanted, vector));
    use(std::span<const float>(vector));
  }
  return OkStatus();
}

std::size_t DefaultSubVectors(CodecKind codec, std::size_t dims) {
  if (codec == CodecKind::kBit) return 0;
  const std::size_t least_dims = codec == CodecKind::kPq8 ? 16 : 4;
  for (std::size_t sub_dims = least_dims; sub_dims < dims; ++sub_dims) {
    const std::size_t sub_vectors = dims / sub_dims;
    if (dims % sub_dims == 0 && sub_vectors <= format::kMaxPq4SubVectors) return sub_vectors;
  }
  return 1;
}

Result<std::unique_ptr<Codec>> TrainCodecOf(const SegmentReader& segment,
                                            const CodebookTraining& training,
                                            const base::CancelToken& cancel) {
  CodecSpec spec{training.codec, segment.dims(), training.sub_vectors};
  if (spec.sub_vectors == 0) spec.sub_vectors = DefaultSubVectors(spec.kind, spec.dims);
  if (spec.kind == CodecKind::kPq4 && spec.sub_vectors > format::kMaxPq4SubVectors) {
    return base::InvalidArgument("codes to scan have at most 1024 sub-vectors: " +
                                 std::to_string(spec.sub_vectors));
  }
  std::vector<float> sample;
  SIGHTLINE_RETURN_IF_ERROR(
      ForSample(segment, kCodecSample, cancel, [&](std::span<const float> vector) {
        sample.insert(sample.end(), vector.begin(), vector.end());
      }));
  CodecTraining how;
  how.seed = training.seed;
  how.threads = training.threads;
  if (training.progress) {
    how.progress = [&](double done) { training.progress(done * kCodecShare); };
  }
  return TrainCodec(spec, sample, how, cancel);
}

Result<Centroids> TrainLists(const SegmentReader& segment, const CodebookTraining& training,
                             const base::CancelToken& cancel) {
  CentroidTraining how;
  how.centroids = training.lists > 0 ? training.lists : ListCount(segment.vector_count());
  how.seed = training.seed;
  how.threads = training.threads;
  CentroidTrainer trainer(segment.dims());
  SIGHTLINE_RETURN_IF_ERROR(ForSample(segment, kSamplesAList * how.centroids, cancel,
                                      [&](std::span<const float> vector) { trainer.Add(vector); }));
  return trainer.Train(how, cancel);
}

}  // namespace

std::size_t ListCount(std::uint64_t vectors) {
  const auto wanted = static_cast<std::uint64_t>(4 * std::sqrt(static_cast<double>(vectors)));
  return std::bit_floor(std::clamp<std::uint64_t>(wanted, 64, 16'384));
}

Result<std::shared_ptr<const Codebook>> TrainCodebook(const SegmentReader& segment,
                                                      const CodebookTraining& training,
                                                      const base::CancelToken& cancel) {
  if (training.codec == CodecKind::kInt8) {
    return base::InvalidArgument("int8 codes are what every segment has; choose pq4, pq8 or bit");
  }
  if (training.lists % kernels::kGroupLanes != 0 || training.lists > format::kMaxCentroids) {
    return base::InvalidArgument("the number of lists must be a multiple of 16, at most 65536: " +
                                 std::to_string(training.lists));
  }
  SIGHTLINE_ASSIGN_OR_RETURN(std::unique_ptr<const Codec> codec,
                             TrainCodecOf(segment, training, cancel));
  SIGHTLINE_ASSIGN_OR_RETURN(Centroids centroids, TrainLists(segment, training, cancel));
  if (training.progress) training.progress(1);
  return std::shared_ptr<const Codebook>(
      std::make_shared<Codebook>(std::move(codec), std::move(centroids), segment.vector_count()));
}

}  // namespace sightline::index
