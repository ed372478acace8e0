#include <array>
#include <cstring>

#include "base/digest.h"

#if defined(__x86_64__)
#include <nmmintrin.h>
#endif

namespace sightline::base {
namespace {

// Four tables for slicing by four (Kounavis and Berry 2005) of the reversed Castagnoli polynomial.
constexpr std::array<std::array<uint32_t, 256>, 4> MakeTables() {
  std::array<std::array<uint32_t, 256>, 4> tables{};
  for (uint32_t i = 0; i < 256; ++i) {
    uint32_t crc = i;
    for (int bit = 0; bit < 8; ++bit) crc = (crc >> 1) ^ ((crc & 1) != 0 ? 0x82F63B78U : 0U);
    tables[0][i] = crc;
  }
  for (size_t t = 1; t < 4; ++t) {
    for (size_t i = 0; i < 256; ++i) {
      const uint32_t previous = tables[t - 1][i];
      tables[t][i] = (previous >> 8) ^ tables[0][previous & 0xFF];
    }
  }
  return tables;
}

constexpr auto kTables = MakeTables();

#if defined(__x86_64__)
__attribute__((target("sse4.2"))) uint32_t Crc32cSse42(std::span<const std::byte> data,
                                                       uint32_t crc) {
  uint64_t state = ~crc;
  const std::byte* at = data.data();
  size_t left = data.size();
  for (; left >= 8; left -= 8, at += 8) {
    uint64_t word = 0;
    std::memcpy(&word, at, sizeof(word));
    state = _mm_crc32_u64(state, word);
  }
  auto narrow = static_cast<uint32_t>(state);
  for (; left > 0; --left, ++at) narrow = _mm_crc32_u8(narrow, std::to_integer<uint8_t>(*at));
  return ~narrow;
}

bool HasSse42() {
  static const bool has = __builtin_cpu_supports("sse4.2") != 0;
  return has;
}
#endif

}  // namespace

uint32_t Crc32cPortable(std::span<const std::byte> data, uint32_t crc) {
  uint32_t state = ~crc;
  size_t i = 0;
  const auto byte = [&](size_t at) { return std::to_integer<uint32_t>(data[at]); };
  for (; i + 4 <= data.size(); i += 4) {
    state ^= byte(i) | (byte(i + 1) << 8) | (byte(i + 2) << 16) | (byte(i + 3) << 24);
    state = kTables[3][state & 0xFF] ^ kTables[2][(state >> 8) & 0xFF] ^
            kTables[1][(state >> 16) & 0xFF] ^ kTables[0][state >> 24];
  }
  for (; i < data.size(); ++i) state = (state >> 8) ^ kTables[0][(state ^ byte(i)) & 0xFF];
  return ~state;
}

uint32_t Crc32c(std::span<const std::byte> data, uint32_t crc) {
#if defined(__x86_64__)
  if (HasSse42()) return Crc32cSse42(data, crc);
#endif
  return Crc32cPortable(data, crc);
}

}  // namespace sightline::base
