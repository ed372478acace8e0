// Product quantisation: a vector is cut into parts, and each part becomes the number of its
// nearest centroid (Jégou, Douze, Schmid 2011).
#pragma once

#include "index/codec.h"
#include "index/kmeans.h"

namespace sightline::index {

/// Codebooks of all sub-vectors, each from k-means of its own over a sample of `vectors`; as
/// `TrainCodec` says.
base::Result<std::vector<float>> TrainProductCodebook(const CodecSpec& spec,
                                                      std::span<const float> vectors,
                                                      const CodecTraining& training,
                                                      const base::CancelToken& cancel);

/// `kPq8`: a byte a sub-vector. `kPq4`: half a byte, the even sub-vector in the low half.
class ProductQuantizer final : public Codec {
 public:
  /// `spec` and the size of `codebook` have been checked.
  ProductQuantizer(const CodecSpec& spec, std::vector<float> codebook);

  /// Centroids a sub-vector.
  static std::size_t Centroids(CodecKind kind) { return kind == CodecKind::kPq4 ? 16 : 256; }

  const CodecSpec& spec() const override { return spec_; }
  std::size_t code_bytes() const override;
  std::span<const float> codebook() const override { return codebook_; }
  void Encode(std::span<const float> vector, std::span<std::uint8_t> code) const override;
  void Decode(std::span<const std::uint8_t> code, std::span<float> vector) const override;

 private:
  std::size_t sub_dims() const { return spec_.dims / spec_.sub_vectors; }
  std::size_t CodeOf(std::span<const std::uint8_t> code, std::size_t sub_vector) const;

  const CodecSpec spec_;
  const std::vector<float> codebook_;
  std::vector<NearestCentroid> nearest_;  // By sub-vector.
};

}  // namespace sightline::index
