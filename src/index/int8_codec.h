// A byte a dim and a scale a vector.
#pragma once

#include "index/codec.h"

namespace sightline::index {

/// `dims` int8 codes, then their scale as f32, little-endian: value = code × scale.
class Int8Codec final : public Codec {
 public:
  /// `spec` has been checked.
  explicit Int8Codec(const CodecSpec& spec) : spec_(spec) {}

  const CodecSpec& spec() const override { return spec_; }
  std::size_t code_bytes() const override { return spec_.dims + sizeof(float); }
  std::span<const float> codebook() const override { return {}; }
  void Encode(std::span<const float> vector, std::span<std::uint8_t> code) const override;
  void Decode(std::span<const std::uint8_t> code, std::span<float> vector) const override;

 private:
  const CodecSpec spec_;
};

}  // namespace sightline::index
