// What the codes and lists of a space are made with.
#pragma once

#include <cstdint>
#include <memory>

#include "index/centroids.h"
#include "index/codec.h"

namespace sightline::index {

/// Learned once from a sample of a space's vectors and shared by its segments, until the space has
/// outgrown it. Immutable; thread-safe.
class Codebook {
 public:
  /// `codec` is one of pq4, pq8 and bit; `centroids` may be none.
  Codebook(std::unique_ptr<const Codec> codec, Centroids centroids, std::uint64_t trained_vectors);

  const Codec& codec() const { return *codec_; }
  /// Of the inverted lists.
  const Centroids& centroids() const { return centroids_; }
  /// Vectors that the space had when this was learned.
  std::uint64_t trained_vectors() const { return trained_vectors_; }
  /// Equal for equal content.
  std::uint64_t id() const { return id_; }
  /// Bytes in memory that every query reads.
  std::size_t hot_bytes() const;

 private:
  const std::unique_ptr<const Codec> codec_;
  const Centroids centroids_;
  const std::uint64_t trained_vectors_;
  const std::uint64_t id_;
};

}  // namespace sightline::index
