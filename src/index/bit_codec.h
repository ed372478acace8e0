// A bit a dim.
#pragma once

#include "index/codec.h"

namespace sightline::index {

/// The values that each dim's bits stand for, [dims, 2]: the means of what lies below the dim's
/// mean and of what does not. kFailedPrecondition for fewer than 8 vectors.
base::Result<std::vector<float>> TrainBitCodebook(const CodecSpec& spec,
                                                  std::span<const float> vectors);

/// Bit d of a code (byte d ÷ 8, lowest bit first) says which of its dim's two values is nearer.
class BitCodec final : public Codec {
 public:
  /// `spec` and the size of `codebook` have been checked.
  BitCodec(const CodecSpec& spec, std::vector<float> codebook)
      : spec_(spec), codebook_(std::move(codebook)) {}

  const CodecSpec& spec() const override { return spec_; }
  std::size_t code_bytes() const override { return (spec_.dims + 7) / 8; }
  std::span<const float> codebook() const override { return codebook_; }
  void Encode(std::span<const float> vector, std::span<std::uint8_t> code) const override;
  void Decode(std::span<const std::uint8_t> code, std::span<float> vector) const override;

 private:
  const CodecSpec spec_;
  const std::vector<float> codebook_;
};

}  // namespace sightline::index
