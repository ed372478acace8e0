#include "index/product_quantizer.h"

#include <algorithm>
#include <string>
#include <utility>

#include "base/mutex.h"
#include "base/parallel_for.h"
#include "index/sample.h"

namespace sightline::index {
namespace {

using base::Result;
using base::Status;

constexpr std::size_t kMinVectorsACentroid = 8;

/// Trains the codebooks of sub-vectors, which know nothing of each other, on several threads.
class CodebookTrainer {
 public:
  CodebookTrainer(const CodecSpec& spec, std::span<const float> vectors,
                  const CodecTraining& training, const base::CancelToken& cancel)
      : spec_(spec),
        vectors_(vectors),
        training_(training),
        cancel_(cancel),
        centroids_(ProductQuantizer::Centroids(spec.kind)),
        sample_(SampleIndices(vectors.size() / spec.dims, centroids_ * training.samples_a_centroid,
                              training.seed)),
        codebook_(CodebookSize(spec)) {}

  Result<std::vector<float>> Run() {
    const auto train = [this](std::size_t sub) -> Status {
      SIGHTLINE_RETURN_IF_ERROR(Train(sub));
      ReportOne();
      return base::OkStatus();
    };
    SIGHTLINE_RETURN_IF_ERROR(base::ParallelFor(spec_.sub_vectors, training_.threads, train));
    return std::move(codebook_);
  }

 private:
  void ReportOne() {
    const base::MutexLock lock(mutex_);
    ++done_;
    if (!training_.progress) return;
    training_.progress(static_cast<double>(done_) / static_cast<double>(spec_.sub_vectors));
  }

  Status Train(std::size_t sub) {
    const std::size_t sub_dims = spec_.dims / spec_.sub_vectors;
    std::vector<float> parts;
    parts.reserve(sample_.size() * sub_dims);
    for (const std::size_t i : sample_) {
      const auto part = vectors_.subspan(i * spec_.dims + sub * sub_dims, sub_dims);
      parts.insert(parts.end(), part.begin(), part.end());
    }
    const KMeansOptions options{centroids_, training_.rounds, training_.seed + sub};
    SIGHTLINE_ASSIGN_OR_RETURN(const std::vector<float> trained,
                               TrainKMeans(parts, sub_dims, options, cancel_));
    // Each sub-vector has its own place, so no lock is needed.
    std::copy(trained.begin(), trained.end(),
              codebook_.begin() + static_cast<std::ptrdiff_t>(sub * centroids_ * sub_dims));
    return base::OkStatus();
  }

  const CodecSpec& spec_;
  const std::span<const float> vectors_;
  const CodecTraining& training_;
  const base::CancelToken& cancel_;
  const std::size_t centroids_;
  const std::vector<std::size_t> sample_;
  std::vector<float> codebook_;
  base::Mutex mutex_;
  std::size_t done_ SIGHTLINE_GUARDED_BY(mutex_) = 0;
};

}  // namespace

Result<std::vector<float>> TrainProductCodebook(const CodecSpec& spec,
                                                std::span<const float> vectors,
                                                const CodecTraining& training,
                                                const base::CancelToken& cancel) {
  const std::size_t needed = ProductQuantizer::Centroids(spec.kind) * kMinVectorsACentroid;
  const std::size_t count = vectors.size() / spec.dims;
  if (count < needed) {
    return base::FailedPrecondition("too few vectors to learn a codebook from: " +
                                    std::to_string(count) + " of " + std::to_string(needed));
  }
  return CodebookTrainer(spec, vectors, training, cancel).Run();
}

ProductQuantizer::ProductQuantizer(const CodecSpec& spec, std::vector<float> codebook)
    : spec_(spec), codebook_(std::move(codebook)) {
  const std::size_t size = Centroids(spec.kind) * sub_dims();
  nearest_.reserve(spec_.sub_vectors);
  for (std::size_t sub = 0; sub < spec_.sub_vectors; ++sub) {
    nearest_.emplace_back(std::span(codebook_).subspan(sub * size, size), sub_dims());
  }
}

std::size_t ProductQuantizer::code_bytes() const {
  return spec_.kind == CodecKind::kPq8 ? spec_.sub_vectors : (spec_.sub_vectors + 1) / 2;
}

std::size_t ProductQuantizer::CodeOf(std::span<const std::uint8_t> code,
                                     std::size_t sub_vector) const {
  if (spec_.kind == CodecKind::kPq8) return code[sub_vector];
  return (static_cast<std::size_t>(code[sub_vector / 2]) >> (sub_vector % 2 * 4)) & 0xFU;
}

void ProductQuantizer::Encode(std::span<const float> vector, std::span<std::uint8_t> code) const {
  std::fill(code.begin(), code.end(), std::uint8_t{0});
  for (std::size_t sub = 0; sub < spec_.sub_vectors; ++sub) {
    const auto part = vector.subspan(sub * sub_dims(), sub_dims());
    const auto centroid = static_cast<unsigned>(nearest_[sub].Find(part).centroid);
    if (spec_.kind == CodecKind::kPq8) {
      code[sub] = static_cast<std::uint8_t>(centroid);
    } else {
      code[sub / 2] |= static_cast<std::uint8_t>(centroid << (sub % 2 * 4));
    }
  }
}

void ProductQuantizer::Decode(std::span<const std::uint8_t> code, std::span<float> vector) const {
  const std::size_t centroids = Centroids(spec_.kind);
  for (std::size_t sub = 0; sub < spec_.sub_vectors; ++sub) {
    const std::size_t at = (sub * centroids + CodeOf(code, sub)) * sub_dims();
    const auto centroid = std::span(codebook_).subspan(at, sub_dims());
    std::copy(centroid.begin(), centroid.end(),
              vector.begin() + static_cast<std::ptrdiff_t>(sub * sub_dims()));
  }
}

}  // namespace sightline::index
