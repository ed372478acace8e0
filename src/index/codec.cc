#include "index/codec.h"

#include <algorithm>
#include <cmath>
#include <string>
#include <utility>

#include "index/bit_codec.h"
#include "index/int8_codec.h"
#include "index/product_quantizer.h"

namespace sightline::index {
namespace {

using base::Result;
using base::Status;

constexpr std::size_t kMaxDims = 4096;

bool IsProductQuantizer(CodecKind kind) {
  return kind == CodecKind::kPq4 || kind == CodecKind::kPq8;
}

Status CheckVectors(const CodecSpec& spec, std::span<const float> vectors) {
  if (vectors.size() % spec.dims != 0) {
    return base::InvalidArgument(
        "vectors do not have the codec's dims: " + std::to_string(vectors.size()) +
        " values, dims " + std::to_string(spec.dims));
  }
  if (!std::all_of(vectors.begin(), vectors.end(), [](float v) { return std::isfinite(v); })) {
    return base::InvalidArgument("vectors to learn from must be finite");
  }
  return base::OkStatus();
}

}  // namespace

Status CheckCodecSpec(const CodecSpec& spec) {
  if (spec.dims < 1 || spec.dims > kMaxDims) {
    return base::InvalidArgument("vectors must have 1 to 4096 dims: " + std::to_string(spec.dims));
  }
  switch (spec.kind) {
    case CodecKind::kInt8:
    case CodecKind::kBit:
      return base::OkStatus();
    case CodecKind::kPq4:
    case CodecKind::kPq8:
      if (spec.sub_vectors >= 1 && spec.dims % spec.sub_vectors == 0) return base::OkStatus();
      return base::InvalidArgument(
          "the number of sub-vectors must divide the dims: " + std::to_string(spec.sub_vectors) +
          ", dims " + std::to_string(spec.dims));
  }
  return base::InvalidArgument("no codec has the number " +
                               std::to_string(static_cast<std::uint32_t>(spec.kind)));
}

std::size_t CodebookSize(const CodecSpec& spec) {
  if (spec.kind == CodecKind::kBit) return spec.dims * 2;
  return IsProductQuantizer(spec.kind) ? spec.dims * ProductQuantizer::Centroids(spec.kind) : 0;
}

Result<std::unique_ptr<Codec>> TrainCodec(const CodecSpec& spec, std::span<const float> vectors,
                                          const CodecTraining& training,
                                          const base::CancelToken& cancel) {
  SIGHTLINE_RETURN_IF_ERROR(CheckCodecSpec(spec));
  SIGHTLINE_RETURN_IF_ERROR(CheckVectors(spec, vectors));
  std::vector<float> codebook;
  if (spec.kind == CodecKind::kBit) {
    SIGHTLINE_ASSIGN_OR_RETURN(codebook, TrainBitCodebook(spec, vectors));
  } else if (IsProductQuantizer(spec.kind)) {
    SIGHTLINE_ASSIGN_OR_RETURN(codebook, TrainProductCodebook(spec, vectors, training, cancel));
  }
  return MakeCodec(spec, std::move(codebook));
}

Result<std::unique_ptr<Codec>> MakeCodec(const CodecSpec& spec, std::vector<float> codebook) {
  SIGHTLINE_RETURN_IF_ERROR(CheckCodecSpec(spec));
  if (codebook.size() != CodebookSize(spec)) {
    return base::DataLoss("the codebook has another size: " + std::to_string(codebook.size()) +
                          " numbers instead of " + std::to_string(CodebookSize(spec)));
  }
  if (!std::all_of(codebook.begin(), codebook.end(), [](float v) { return std::isfinite(v); })) {
    return base::DataLoss("the codebook holds a number that is not finite");
  }
  std::unique_ptr<Codec> codec;
  switch (spec.kind) {
    case CodecKind::kInt8:
      codec = std::make_unique<Int8Codec>(spec);
      break;
    case CodecKind::kBit:
      codec = std::make_unique<BitCodec>(spec, std::move(codebook));
      break;
    case CodecKind::kPq4:
    case CodecKind::kPq8:
      codec = std::make_unique<ProductQuantizer>(spec, std::move(codebook));
      break;
  }
  return codec;
}

Distortion MeasureDistortion(const Codec& codec, std::span<const float> vectors) {
  const std::size_t dims = codec.spec().dims;
  std::vector<std::uint8_t> code(codec.code_bytes());
  std::vector<float> copy(dims);
  Distortion result;
  double error = 0;
  double energy = 0;
  double cosines = 0;
  std::size_t directions = 0;
  for (std::size_t at = 0; at + dims <= vectors.size(); at += dims) {
    const auto vector = vectors.subspan(at, dims);
    codec.Encode(vector, code);
    codec.Decode(code, copy);
    double squared = 0;
    double copied = 0;
    double dot = 0;
    for (std::size_t d = 0; d < dims; ++d) {
      const double v = vector[d];
      const double c = copy[d];
      error += (v - c) * (v - c);
      squared += v * v;
      copied += c * c;
      dot += v * c;
    }
    energy += squared;
    ++result.vectors;
    if (squared == 0 || copied == 0) continue;
    cosines += dot / std::sqrt(squared * copied);
    ++directions;
  }
  if (energy > 0) result.relative_error = error / energy;
  if (directions > 0) result.mean_cosine = cosines / static_cast<double>(directions);
  return result;
}

}  // namespace sightline::index
