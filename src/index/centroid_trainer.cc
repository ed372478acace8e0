#include "index/centroid_trainer.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>
#include <string>

#include "base/parallel_for.h"
#include "index/sample.h"
#include "kernels/dispatch.h"

namespace sightline::index {
namespace {

using base::OkStatus;
using base::Result;
using base::Status;

/// Vectors that are compared with all centroids at a time: their codes stay in the nearest cache.
constexpr std::size_t kChunk = 64;
/// Centroids that a thread moves at a time.
constexpr std::size_t kCentroidsAPart = 64;

/// Makes `vector` have length 1; false for a zero vector.
template <typename T>
bool Normalise(std::span<const T> vector, std::span<float> out) {
  double square = 0;
  for (const T value : vector) square += static_cast<double>(value) * static_cast<double>(value);
  if (square <= 0 || !std::isfinite(square)) return false;
  const double factor = 1 / std::sqrt(square);
  for (std::size_t d = 0; d < out.size(); ++d) {
    out[d] = static_cast<float>(static_cast<double>(vector[d]) * factor);
  }
  return true;
}

}  // namespace

void CentroidTrainer::Add(std::span<const float> vectors) {
  for (std::size_t at = 0; at < vectors.size(); at += dims_) {
    waiting_.resize(waiting_.size() + dims_);
    const auto place = std::span(waiting_).last(dims_);
    if (!Normalise(vectors.subspan(at, dims_), place)) {
      waiting_.resize(waiting_.size() - dims_);
      continue;
    }
    ++count_;
    if (waiting_.size() < kChunk * dims_) continue;
    const std::span<const float> chunk = waiting_;
    chunks_.emplace_back(std::span(&chunk, 1), dims_, kernels::Kernels());
    waiting_.clear();
  }
}

void CentroidTrainer::AddUp(std::size_t vector, std::span<double> sum) const {
  const kernels::QueryBatch& chunk = chunks_[vector / kChunk];
  const kernels::QueryRows rows = chunk.rows();
  const std::int8_t* codes = rows.codes + vector % kChunk * rows.stride;
  const double scale = chunk.scale(vector % kChunk);
  for (std::size_t d = 0; d < sum.size(); ++d) sum[d] += scale * codes[d];
}

void CentroidTrainer::Seed(const CentroidTraining& training) {
  centroids_.assign(training.centroids * dims_, 0);
  std::size_t c = 0;
  for (const std::size_t vector : SampleIndices(count_, training.centroids, training.seed)) {
    std::vector<double> value(dims_);
    AddUp(vector, value);
    Normalise<double>(value, std::span(centroids_).subspan(c++ * dims_, dims_));
  }
}

Status CentroidTrainer::Assign(const CentroidTraining& training, const base::CancelToken& cancel) {
  const Centroids centroids(centroids_, dims_);
  return base::ParallelFor(chunks_.size(), training.threads, [&](std::size_t chunk) -> Status {
    SIGHTLINE_RETURN_IF_ERROR(cancel.Check());
    const std::size_t first = chunk * kChunk;
    const std::size_t size = std::min(kChunk, count_ - first);
    centroids.Nearest(chunks_[chunk], std::span(matches_).subspan(first, size));
    return OkStatus();
  });
}

/// The vector that its centroid represents worst, once.
std::size_t CentroidTrainer::TakeWorst() {
  const auto worst = std::ranges::min_element(matches_, {}, &Centroids::Match::similarity);
  worst->similarity = std::numeric_limits<float>::infinity();
  return static_cast<std::size_t>(worst - matches_.begin());
}

/// Moves every centroid into the middle of its vectors. Sums go in the order of the sample, so
/// that the number of threads does not matter.
Status CentroidTrainer::Move(const CentroidTraining& training) {
  std::vector<std::size_t> ends(training.centroids + 1, 0);
  for (const Centroids::Match& match : matches_) ++ends[match.centroid + 1];
  std::partial_sum(ends.begin(), ends.end(), ends.begin());
  std::vector<std::uint32_t> members(count_);
  std::vector<std::size_t> next(ends.begin(), ends.end() - 1);
  for (std::size_t i = 0; i < count_; ++i) {
    members[next[matches_[i].centroid]++] = static_cast<std::uint32_t>(i);
  }
  const auto mean = [&](std::size_t c) {
    std::vector<double> sum(dims_);
    for (std::size_t m = ends[c]; m < ends[c + 1]; ++m) AddUp(members[m], sum);
    return Normalise<double>(sum, std::span(centroids_).subspan(c * dims_, dims_));
  };
  const std::size_t parts = (training.centroids + kCentroidsAPart - 1) / kCentroidsAPart;
  const auto move_part = [&](std::size_t part) {
    const std::size_t end = std::min(training.centroids, (part + 1) * kCentroidsAPart);
    for (std::size_t c = part * kCentroidsAPart; c < end; ++c) {
      if (ends[c] < ends[c + 1]) mean(c);
    }
    return OkStatus();
  };
  SIGHTLINE_RETURN_IF_ERROR(base::ParallelFor(parts, training.threads, move_part));
  for (std::size_t c = 0; c < training.centroids; ++c) {
    if (ends[c] < ends[c + 1]) continue;
    std::vector<double> value(dims_);
    AddUp(TakeWorst(), value);
    Normalise<double>(value, std::span(centroids_).subspan(c * dims_, dims_));
  }
  return OkStatus();
}

Result<Centroids> CentroidTrainer::Train(const CentroidTraining& training,
                                         const base::CancelToken& cancel) {
  if (count_ < training.centroids) {
    return base::FailedPrecondition(
        "too few vectors for that many centroids: " + std::to_string(count_) + ", " +
        std::to_string(training.centroids) + " centroids");
  }
  if (!waiting_.empty()) {
    const std::span<const float> chunk = waiting_;
    chunks_.emplace_back(std::span(&chunk, 1), dims_, kernels::Kernels());
    waiting_.clear();
  }
  matches_.resize(count_);
  Seed(training);
  for (int round = 0; round < training.rounds; ++round) {
    SIGHTLINE_RETURN_IF_ERROR(Assign(training, cancel));
    SIGHTLINE_RETURN_IF_ERROR(Move(training));
  }
  return Centroids(centroids_, dims_);
}

}  // namespace sightline::index
