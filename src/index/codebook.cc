#include "index/codebook.h"

#include <span>
#include <utility>

#include "base/digest.h"

namespace sightline::index {
namespace {

std::uint64_t IdOf(const Codec& codec, const Centroids& centroids) {
  const std::uint64_t numbers = base::Crc32c(std::as_bytes(codec.codebook()));
  return numbers << 32U | base::Crc32c(std::as_bytes(centroids.groups()));
}

}  // namespace

Codebook::Codebook(std::unique_ptr<const Codec> codec, Centroids centroids,
                   std::uint64_t trained_vectors)
    : codec_(std::move(codec)),
      centroids_(std::move(centroids)),
      trained_vectors_(trained_vectors),
      id_(IdOf(*codec_, centroids_)) {}

std::size_t Codebook::hot_bytes() const {
  return codec_->codebook().size_bytes() + centroids_.groups().size();
}

}  // namespace sightline::index
