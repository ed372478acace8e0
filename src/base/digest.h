// SHA-256 for names of content and CRC32C for blocks on disk.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"

namespace sightline::base {

/// A SHA-256 digest.
using Sha256Digest = std::array<std::byte, 32>;

/// SHA-256 of bytes that come in pieces. Not thread-safe.
class Sha256 {
 public:
  Sha256();
  ~Sha256();
  Sha256(Sha256&&) noexcept;
  Sha256& operator=(Sha256&&) noexcept;

  /// The next bytes.
  void Update(std::span<const std::byte> data);
  /// The next bytes.
  void Update(std::string_view data);
  /// Updates with the length (64 bits, little-endian), then the bytes: two different lists of
  /// fields never give the same stream. For cache keys and fingerprints.
  void UpdateField(std::string_view field);
  /// The digest of all updates; nothing may follow.
  Sha256Digest Finish();

 private:
  struct State;
  std::unique_ptr<State> state_;
};

/// The digest of `data`.
Sha256Digest Sha256Of(std::string_view data);
/// The digest of `data` in lower-case hexadecimal.
std::string Sha256Hex(std::string_view data);

/// Lower-case hexadecimal of bytes.
std::string HexEncode(std::span<const std::byte> bytes);
/// Bytes of hexadecimal text in either case; kInvalidArgument for an odd length or another
/// character.
Result<std::vector<std::byte>> HexDecode(std::string_view text);

/// CRC32C (Castagnoli, RFC 3720 B.4) of `data`, going on from `crc` (the value for what came
/// before).
uint32_t Crc32c(std::span<const std::byte> data, uint32_t crc = 0);
/// The same without the instruction of SSE4.2: the reference in tests.
uint32_t Crc32cPortable(std::span<const std::byte> data, uint32_t crc = 0);

}  // namespace sightline::base
