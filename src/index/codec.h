// Short codes for vectors: what a segment keeps hot, behind one interface.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <vector>

#include "base/deadline.h"
#include "base/result.h"
#include "format/codec_kind.h"

namespace sightline::index {

using CodecKind = format::CodecKind;

/// What a codec is made for.
struct CodecSpec {
  CodecKind kind = CodecKind::kInt8;
  /// Numbers a vector, 1 … 4,096.
  std::size_t dims = 0;
  /// Of product quantisation: into how many parts of equal size a vector is cut; divides `dims`.
  std::size_t sub_vectors = 0;
};

/// kInvalidArgument where a spec makes no sense; the message says which number is wrong.
base::Status CheckCodecSpec(const CodecSpec& spec);

/// Numbers that a codec learns: row-major [sub_vectors, centroids, dims / sub_vectors] of product
/// quantisation; [dims, 2] of `kBit`, the values that the bits 0 and 1 stand for; 0 of `kInt8`.
std::size_t CodebookSize(const CodecSpec& spec);

/// Vectors into codes and back. Immutable; thread-safe.
class Codec {
 public:
  virtual ~Codec() = default;

  /// What it was made for.
  virtual const CodecSpec& spec() const = 0;
  /// Bytes of a vector's code.
  virtual std::size_t code_bytes() const = 0;
  /// What it has learned; `MakeCodec` makes an equal one from it.
  virtual std::span<const float> codebook() const = 0;
  /// `vector` [dims], finite, into `code` [code_bytes].
  virtual void Encode(std::span<const float> vector, std::span<std::uint8_t> code) const = 0;
  /// The vector that a code stands for. Any bytes are a code.
  virtual void Decode(std::span<const std::uint8_t> code, std::span<float> vector) const = 0;
};

/// How a codebook is trained.
struct CodecTraining {
  /// The same seed gives the same codebook on every machine, with any number of threads.
  std::uint64_t seed = 1;
  /// Lloyd's rounds.
  int rounds = 16;
  /// More vectors than so many for each centroid are sampled down to that.
  std::size_t samples_a_centroid = 256;
  int threads = 1;
  /// Told the share that is done, from several threads but one at a time. May be empty.
  std::function<void(double done)> progress;
};

/// A codec for vectors like `vectors`, row-major [n, dims], finite. kInvalidArgument for a wrong
/// spec or size; kFailedPrecondition when there are fewer than 8 vectors for each centroid, which
/// is too few to learn from: such a collection uses `kInt8`, which needs none.
base::Result<std::unique_ptr<Codec>> TrainCodec(const CodecSpec& spec,
                                                std::span<const float> vectors,
                                                const CodecTraining& training,
                                                const base::CancelToken& cancel);

/// A codec that has learned before. kInvalidArgument for a wrong spec, kDataLoss for a codebook of
/// another size or with numbers that are not finite.
base::Result<std::unique_ptr<Codec>> MakeCodec(const CodecSpec& spec, std::vector<float> codebook);

/// What codes lose.
struct Distortion {
  /// Σ‖v − v′‖² ÷ Σ‖v‖²: 0 for a perfect copy, 1 for codes that say nothing.
  double relative_error = 0;
  /// Mean cosine of vector and copy; zero vectors are left out.
  double mean_cosine = 0;
  /// Vectors that were measured.
  std::size_t vectors = 0;
};

/// Encodes and decodes `vectors`, row-major [n, dims].
Distortion MeasureDistortion(const Codec& codec, std::span<const float> vectors);

}  // namespace sightline::index
